"""What servers say when they take no more: each vendor in its own words, and with its own status."""

from __future__ import annotations

import pytest

from bot.errors import ModelRefused, ModelUnavailable
from bot.models.refusals import error_of


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (
            400,
            "This model's maximum context length is 32768 tokens. However, your messages resulted in 40000 tokens.",
        ),
        (400, '{"code": "context_length_exceeded"}'),
        (400, "input tokens exceed the configured limit of 272000 tokens"),
        (400, "prompt is too long: 210000 tokens > 200000 maximum"),
        (400, "Input is too long for requested model."),
        (400, "Range of input length should be [1, 30720]"),
        (400, "the request exceeds the available context size, try increasing it"),
        (400, "The input token count (1048577) exceeds the maximum number of tokens allowed (1048576)."),
        (400, "Invalid request: Your request exceeded model token limit: 8192"),
        (400, "Prompt contains 40000 tokens, too large for model with 32768 maximum context length"),
        (400, "This endpoint's maximum context length is 131072 tokens"),
        (400, "the sum of prompt length (33000), query length (0) should not exceed max_num_tokens (32768)"),
        (400, "Prompt 超长"),
        (400, "输入内容长度超过模型最大上下文"),
        (400, "请求的上下文长度超出了模型的限制"),
        (422, "inputs tokens + max_new_tokens must be <= 4096. Given: 5000 inputs tokens"),
        (413, "Request too large for model `llama` on tokens per minute (TPM): Limit 6000, Requested 9000"),
        (
            429,
            "Request too large for gpt in organization x on tokens per min (TPM): Limit 30000, Requested 40000",
        ),
        (500, "the prompt is longer than the context window of 4096 tokens"),
        (200, "maximum context length is 4096 tokens"),
    ],
)
def test_too_long_in_the_words_of_each_vendor(status: int, said: str) -> None:
    error = error_of(status, said)
    assert (type(error), error.code) == (ModelRefused, "too_long")


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (413, ""),
        (413, "Payload Too Large"),
        (400, "messages.0.content.1.image: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes"),
        (400, "Request body too large"),
    ],
)
def test_too_many_bytes_are_another_matter(status: int, said: str) -> None:
    error = error_of(status, said)
    assert (type(error), error.code) == (ModelRefused, "too_large")


@pytest.mark.parametrize(
    ("status", "said", "code"),
    [
        (429, "Rate limit reached for requests", "busy"),
        (429, "Rate limit reached on tokens per min. Limit: 30000, Used: 29000, Requested: 2000", "busy"),
        (500, "deadline exceeded while waiting for a token", "server"),
        (529, "Overloaded", "busy"),
        (503, "Service Unavailable", "busy"),
    ],
)
def test_what_passes_is_not_taken_for_too_long(status: int, said: str, code: str) -> None:
    error = error_of(status, said)
    assert (type(error), error.code) == (ModelUnavailable, code)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "Content Exists Risk"),
        (
            400,
            '{"code": "data_inspection_failed", "message": "Input data may contain inappropriate content."}',
        ),
        (400, "系统检测到输入或生成内容可能包含不安全或敏感内容"),
        (
            400,
            "The response was filtered due to the prompt triggering content management policy: content_filter",
        ),
        (403, "output blocked by content policy"),
    ],
)
def test_filters_in_the_words_of_each_vendor(status: int, said: str) -> None:
    error = error_of(status, said)
    assert (type(error), error.code) == (ModelRefused, "filtered")
