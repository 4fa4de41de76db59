"""Kinds of failure of chat bots, each with the tests that hold it here; see `kind.py`. A48 to A80 are in `failures.py`.

Each report is held where its cause is: what leaves, what comes in, what Telegram does, what happens at once, models.
"""

from __future__ import annotations

from tests.shape.kind import kind

_C = "tests/bot/channels/"
_J = "tests/bot/jobs/"
_F = "tests/flows/"
_L = "tests/bot/agent/"
_M = "tests/bot/models/"

OUT = {
    "A01": kind("an address in angle brackets breaks the formatting", "openclaw/openclaw#4071",
                _C + "test_chunks.py::test_signs_that_look_like_markup_survive",
                _C + "test_chunks.py::test_any_mixture_is_taken_by_the_server_and_loses_no_word"),
    "A02": kind("a table arrives as a wall of pipes", "openclaw/openclaw#36323",
                _C + "test_telegram_sending.py::test_table_arrives_readable",
                _C + "test_chunks.py::test_wide_table_becomes_blocks_with_their_formats"),
    "A03": kind("a cut lands inside an emoji", "NousResearch/hermes-agent#11467",
                _C + "test_chunks.py::test_emoji_are_never_cut"),
    "A04": kind("a cut leaves bold or code open", "songquanpeng/message-pusher#88",
                _C + "test_chunks.py::test_bold_that_crosses_the_cut_is_bold_in_both",
                _C + "test_chunks.py::test_fence_longer_than_a_message_stays_code_in_each"),
    "A05": kind("what was cut to fit grows again by escaping", "NousResearch/hermes-agent#55593",
                open="signs that would be escaped are cut by their final length: no test of their own yet"),
    "A06": kind("a tool ran, and the empty answer after it crashes", "HKUDS/nanobot#100",
                _L + "test_loop.py::test_an_empty_answer_is_asked_for_once_more",
                _C + "test_telegram_sending.py::test_empty_answer_is_a_sentence"),
    "A07": kind("the log has the answer, the person an empty bubble", "HKUDS/nanobot#4499",
                _C + "test_telegram_sending.py::test_delivered_once_with_its_text_undoubled"),
    "A08": kind("a second way of sending formats differently", "NousResearch/hermes-agent#53632",
                open="one table by answer, receipt and notice: no test yet"),
    "A09": kind("a caption that is too long costs the whole answer", "elizaOS/eliza#24479",
                _C + "test_telegram_sending.py::test_caption_too_long_goes_on_as_text"),
    "A10": kind("a long paste becomes two turns", "NousResearch/hermes-agent#105447",
                _C + "test_telegram_pasting.py::test_a_paste_is_one_message",
                _C + "test_telegram_pasting.py::test_parts_that_come_apart_are_one_message_and_confirmed_only_then",
                _F + "test_telegram_edits.py::test_a_part_of_a_long_paste_cannot_be_changed_alone"),
}  # fmt: skip

IN = {
    "A11": kind("of an album only the picture with the caption is seen", "openclaw/openclaw#97717",
                _C + "test_telegram_receiving.py::test_album_shares_its_name_and_keeps_its_order",
                _F + "test_telegram_together.py::test_a_model_sees_all_of_an_album_whichever_has_the_caption"),
    "A12": kind("an album's first picture keeps the others out as “busy”", "zai-org/feedback#198",
                _F + "test_telegram_together.py::test_an_album_that_comes_with_gaps_while_a_turn_runs"),
    "A13": kind("one record a picture where one an album was wanted", "usememos/telegram-integration#107",
                "tests/bot/jobs/test_receipts.py::test_what_was_sent_together_has_one_receipt_and_its_buttons_mean_all_of_it"),
    "A14": kind("a picture sent as a file is refused", "NousResearch/hermes-agent#18620",
                _C + "test_telegram_receiving.py::test_picture_sent_as_a_file_is_a_picture"),
    "A15": kind("a picture sent as a file is not seen by the model", "openclaw/openclaw#152300",
                _F + "test_telegram_together.py::test_a_question_under_a_picture_sent_as_a_file_is_about_it"),
    "A16": kind("a reply to a picture comes without the picture", "NousResearch/hermes-agent#22249",
                _F + "test_telegram_together.py::test_a_reply_to_a_picture_of_days_ago_shows_it",
                _F + "test_telegram_together.py::test_a_reply_to_the_receipt_shows_the_picture_too",
                _F + "test_telegram_together.py::test_in_a_group_a_reply_shows_the_picture_of_somebody_else"),
    "A17": kind("a reply loses what was quoted", "PleasePrompto/ductor#135",
                _C + "test_telegram_receiving.py::test_reply_carries_what_was_quoted",
                _F + "test_telegram_together.py::test_what_was_quoted_is_there_after_a_fresh_start"),
    "A18": kind("an edit during the turn is dropped in silence", "openclaw/openclaw#82300",
                _F + "test_telegram_edits.py::test_an_edit_while_the_turn_runs_changes_the_message",
                _F + "test_telegram_edits.py::test_an_edit_after_the_answer_is_said_to_be_too_late_once",
                _F + "test_telegram_edits.py::test_an_old_message_edited_into_a_command_never_runs",
                "tests/bot/test_turns_revised.py::test_what_waits_behind_a_turn_keeps_its_place"),
    "A19": kind("it answers in a group that did not speak to it", "father-bot/chatgpt_telegram_bot#454",
                _C + "test_telegram_receiving.py::test_group_only_when_spoken_to",
                _F + "test_groups.py::test_only_those_who_are_known_and_speak_to_it_are_answered"),
    "A20": kind("a command in a topic is answered elsewhere", "n3d1117/chatgpt-telegram-bot#192",
                _C + "test_telegram_receiving.py::test_topic_is_answered_in_its_topic",
                _F + "test_groups.py::test_a_topic_is_answered_in_its_topic_and_is_a_conversation_of_its_own"),
    "A21": kind("the implicit reply of a topic counts as being spoken to", "NousResearch/hermes-agent#51349",
                _C + "test_telegram_addressing.py::test_a_reply"),
}  # fmt: skip

NETWORK = {
    "A22": kind("a flood limit while streaming leaves half an answer beside a whole one",
                "NousResearch/hermes-agent#16668",
                _F + "test_telegram_streaming.py::test_a_flood_limit_while_it_grows_leaves_no_half",
                _F + "test_telegram_streaming.py::test_trouble_on_the_way_leaves_one_answer",
                _C + "test_telegram_drafts.py::test_an_edit_that_fails_leaves_one_whole_answer"),
    "A23": kind("a long flood limit stops everything and is made longer by status messages",
                "NousResearch/hermes-agent#89962",
                _C + "test_telegram_sending.py::test_a_flooded_chat_waits_alone_and_status_traffic_stops"),
    "A24": kind("a message that had arrived is sent again", "NousResearch/hermes-agent#64238",
                _C + "test_telegram_sending.py::test_delivered_once_with_its_text_undoubled",
                _C + "test_telegram_sending.py::test_lost_answer_is_found_among_other_chats",
                _F + "test_telegram_trouble.py::test_a_sending_that_fails_arrives_once_and_whole"),
    "A25": kind("a second poller makes it deaf while it calls itself well", "NousResearch/hermes-agent#63724",
                _C + "test_telegram_polling.py::test_another_poller_turns_health_red_at_once_and_stays_red",
                _F + "test_kill.py::test_doctor_is_red_at_once_about_another_bot_with_the_same_token",
                _F + "test_telegram_trouble.py::test_status_is_red_at_once_about_another_bot_with_the_same_token"),
    "A26": kind("one message is handled several times", "openclaw/openclaw#46674",
                _C + "test_telegram_polling.py::test_same_update_three_times_reaches_the_router_under_one_id",
                _F + "test_telegram.py::test_the_same_update_three_times_is_handled_once"),
    "A27": kind("old messages are answered again after a restart", "openclaw/openclaw#122886",
                _F + "test_model_path.py::test_what_was_due_is_answered_after_a_restart_and_only_once"),
    "A28": kind("an empty answer is one thing here and another there", "NousResearch/hermes-agent#92924",
                _L + "test_loop.py::test_an_empty_answer_is_asked_for_once_more"),
}  # fmt: skip

AT_ONCE = {
    "A29": kind("of messages during a turn only one is kept", "NousResearch/hermes-agent#28503",
                _F + "test_telegram.py::test_five_messages_in_two_seconds_while_a_turn_runs"),
    "A30": kind("what follows /stop is lost, and hidden work goes on", "NousResearch/hermes-agent#31884",
                _F + "test_stop.py::test_the_models_connection_is_closed_and_the_next_question_is_answered",
                _F + "test_stop.py::test_a_running_tool_is_cancelled_and_typing_ends",
                "tests/bot/test_turns_stopped.py::test_stop_in_every_moment_of_a_turn"),
    "A31": kind("a turn that restarts is replayed for ever", "NousResearch/hermes-agent#71905",
                open="a message whose turn ends the process each time: no test yet"),
    "A32": kind("after a restart the person is asked to send it again", "openclaw/openclaw#112562",
                _F + "test_kill.py::test_killed_when", _F + "test_kill.py::test_killed_again_and_again_at_any_moment",
                _F + "test_telegram_streaming.py::test_killed_while_it_grows_it_becomes_the_answer"),
    "A33": kind("old requests in a summary are carried out again", "openclaw/openclaw#68751",
                _F + "test_long_talk.py::test_old_requests_are_no_new_orders",
                _J + "test_summary.py::test_nothing_from_before_a_fresh_start_is_read"),
}  # fmt: skip

MODELS = {
    "A34": kind("a tool without parameters is refused again and again", "NousResearch/hermes-agent#83937",
                _M + "test_arguments.py::test_arguments_that_can_be_read"),
    "A35": kind("arguments that are a list make the history invalid", "HKUDS/nanobot#2858",
                _M + "test_arguments.py::test_arguments_that_can_be_read"),
    "A36": kind("arguments are encoded twice", "obot-platform/nanobot#237",
                _M + "test_arguments.py::test_arguments_that_can_be_read"),
    "A37": kind("a name repeated in each chunk is glued together", "NousResearch/hermes-agent#8089",
                _M + "test_assembling.py::test_a_name_repeated_in_every_chunk"),
    "A38": kind("one call in pieces with changing ids is many", "NousResearch/hermes-agent#106943",
                _M + "test_assembling.py::test_an_id_that_changes_in_every_chunk"),
    "A39": kind("reasoning missing from history is refused for ever", "NousResearch/hermes-agent#15353",
                _M + "test_openai_compatible.py::test_earlier_reasoning_goes_as_the_vendor_wants_it",
                _M + "test_compatible_reasoning.py::test_each_vendor_gets_what_it_takes"),
    "A40": kind("empty reasoning is refused and a blank is not", "charmbracelet/crush#2696",
                _M + "test_openai_compatible.py::test_earlier_reasoning_goes_as_the_vendor_wants_it"),
    "A41": kind("trimming leaves a result without its call", "AstrBotDevs/AstrBot#8349",
                _M + "test_openai_compatible.py::test_calls_go_back_with_their_results_and_strays_are_mended",
                _L + "test_trimming.py::test_a_cut_never_falls_between_a_call_and_its_result",
                _L + "test_loop.py::test_a_result_too_long_for_the_model_is_shortened_and_stays_with_its_call"),
    "A42": kind("the other model is never asked", "NousResearch/hermes-agent#60761",
                _M + "test_retrying.py::test_always_529_and_a_healthy_fallback"),
    "A43": kind("one “too many requests” ends the turn", "openclaw/openclaw#141115",
                _M + "test_retrying.py::test_trouble_that_passes_is_waited_out"),
    "A44": kind("one message that is too long locks the chat", "NousResearch/hermes-agent#85145",
                _F + "test_long_talk.py::test_one_message_that_is_far_too_long_locks_nobody_out",
                _F + "test_model_path.py::test_talk_too_long_for_the_model_is_cut_and_nobody_has_to_start_afresh"),
    "A45": kind("what was compacted is not kept", "NousResearch/hermes-agent#29335",
                _F + "test_long_talk.py::test_the_older_part_is_summed_up_once_and_for_all",
                _F + "test_long_talk.py::test_what_a_server_does_not_take_is_not_sent_twice"),
    "A46": kind("a large picture stays in history", "NousResearch/hermes-agent#35732",
                _F + "test_large_pictures.py::test_a_large_picture_is_sent_once_and_then_is_its_text"),
    "A47": kind("many small pictures are too many bytes", "NousResearch/hermes-agent#47339",
                _L + "test_trimming.py::test_too_many_bytes_are_pictures_first",
                _F + "test_large_pictures.py::test_more_bytes_than_the_server_takes_are_sent_as_fewer_pictures"),
}  # fmt: skip

TELEGRAM = OUT | IN | NETWORK | AT_ONCE | MODELS
