"""Where settings come from, what may stand in them, and what is said when it may not."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from pydantic import SecretStr

from bot.errors import HomeUnwritable, SettingsError
from bot.settings import OPENAI_URL, Settings, save

DEEPSEEK = {"KAIROS_MODEL_BASE_URL": "https://api.deepseek.com", "KAIROS_MODEL": "deepseek-chat"}


def load(home: Path, env: dict[str, str] | None = None, toml: str | None = None) -> Settings:
    if toml is not None:
        home.mkdir(exist_ok=True)
        (home / "settings.toml").write_text(toml, encoding="utf-8")
        (home / "settings.toml").chmod(0o600)
    return Settings.load(home, env or {})


def refusal(home: Path, env: dict[str, str] | None = None, toml: str | None = None) -> str:
    with pytest.raises(SettingsError) as caught:
        load(home, env, toml)
    return str(caught.value)


# ── authority ──────────────────────────────────────────────────────────────────────────────────────────────


def test_nothing_set_is_the_embedded_default(home: Path) -> None:
    settings = load(home)
    assert settings.main() is settings.vision() is settings.extract() is settings.fallback() is None
    assert settings.home == home
    assert settings.problems == ()


def test_given_over_environment_over_file(home: Path) -> None:
    toml = 'language = "zh"\nfirst_word = 1\nocr_idle = 2\n'
    load(home, toml=toml)
    settings = Settings.load(home, {"KAIROS_FIRST_WORD": "3", "KAIROS_OCR_IDLE": "4"}, ocr_idle=5)
    assert (settings.language, settings.first_word, settings.ocr_idle) == ("zh", 3, 5)


def test_the_environment_is_read_when_none_is_given(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAIROS_LANGUAGE", "en")
    assert Settings.load().language == "en"
    assert Settings.load().home == home
    assert Settings().language == "auto"  # the constructor alone reads nothing


def test_an_empty_variable_is_unset(home: Path) -> None:
    assert load(home, {"KAIROS_LANGUAGE": "", "KAIROS_MODEL": " "}, toml='language = "zh"').language == "zh"


def test_home_is_expanded_and_absolute(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path)}
    assert Settings.load(None, env).home == tmp_path / "Kairos"
    assert Settings.load(None, {**env, "KAIROS_HOME": "~/else where"}).home == tmp_path / "else where"
    assert Settings.load(Path("relative"), env).home.is_absolute()
    assert "KAIROS_HOME" in _sentence_of_home("~nobody-of-that-name/x")


def _sentence_of_home(text: str) -> str:
    with pytest.raises(SettingsError) as caught:
        Settings.load(None, {"KAIROS_HOME": text})
    return str(caught.value)


# ── models ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_openai_key_alone_configures_openai(home: Path) -> None:
    main = load(home, {"OPENAI_API_KEY": "sk-open"}).main()
    assert main is not None
    assert (main.base_url, main.api_key.get_secret_value(), main.sees) == (OPENAI_URL, "sk-open", True)
    named = load(home, {"OPENAI_API_KEY": "sk-open", "KAIROS_MODEL": "gpt-4o"}).main()
    assert named is not None
    assert named.model == "gpt-4o"


def test_openais_names_with_another_server(home: Path) -> None:
    env = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://localhost:8000/v1/"}
    assert load(home, env).main() is None  # no name to guess
    main = load(home, {**env, "KAIROS_MODEL": "qwen"}).main()
    assert main is not None
    assert (main.base_url, main.api_key.get_secret_value()) == ("http://localhost:8000/v1", "k")


def test_a_key_for_openai_is_never_sent_elsewhere(home: Path) -> None:
    main = load(home, {**DEEPSEEK, "OPENAI_API_KEY": "sk-open"}).main()
    assert main is not None
    assert main.api_key.get_secret_value() == ""


def test_kairos_own_names_outrank_openais(home: Path) -> None:
    env = {"OPENAI_API_KEY": "no", "OPENAI_BASE_URL": "http://no", **DEEPSEEK, "KAIROS_MODEL_API_KEY": "yes"}
    main = load(home, env).main()
    assert main is not None
    assert (main.base_url, main.api_key.get_secret_value()) == ("https://api.deepseek.com", "yes")


def test_none_switches_a_model_off(home: Path) -> None:
    assert load(home, {"KAIROS_MODEL": "none", "OPENAI_API_KEY": "sk-open"}).main() is None
    assert load(home, {"KAIROS_VISION_MODEL": "none", "OPENAI_API_KEY": "sk-open"}).vision() is None


def test_vision_and_extraction_default_to_the_main_endpoint(home: Path) -> None:
    env = {**DEEPSEEK, "KAIROS_MODEL_API_KEY": "k"}
    assert load(home, env).vision() is None  # a text-only model
    extract = load(home, env).extract()
    assert extract is not None
    assert extract.model == "deepseek-chat"
    vision = load(home, {**env, "KAIROS_VISION_MODEL": "see"}).vision()
    assert vision is not None
    assert (vision.base_url, vision.api_key.get_secret_value(), vision.sees) == (
        "https://api.deepseek.com",
        "k",
        True,
    )
    other = load(
        home, {**env, "KAIROS_VISION_MODEL": "see", "KAIROS_VISION_MODEL_BASE_URL": "http://b/v1"}
    ).vision()
    assert other is not None
    assert other.api_key.get_secret_value() == ""  # the main one's key stays with the main one


def test_speech_is_heard_only_where_a_model_for_it_is_named(home: Path) -> None:
    env = {**DEEPSEEK, "KAIROS_MODEL_API_KEY": "k"}
    assert load(home, env).transcriber() is None
    assert load(home, {**env, "KAIROS_TRANSCRIBE_MODEL": "none"}).transcriber() is None
    beside = load(home, {**env, "KAIROS_TRANSCRIBE_MODEL": "ear"}).transcriber()
    assert beside is not None
    assert (beside.base_url, beside.model) == ("https://api.deepseek.com", "ear")
    elsewhere = {"KAIROS_TRANSCRIBE_MODEL_BASE_URL": "http://b/v1", "KAIROS_TRANSCRIBE_MODEL_API_KEY": "ek"}
    other = load(home, {**env, "KAIROS_TRANSCRIBE_MODEL": "ear", **elsewhere})
    endpoint = other.transcriber()
    assert endpoint is not None
    assert (endpoint.base_url, endpoint.api_key.get_secret_value()) == ("http://b/v1", "ek")
    assert "ek" in other.secrets()


SEEING = """gpt-4o-mini gpt-5.1 qwen-vl-max Qwen/Qwen3-VL-8B qwen2.5vl:7b glm-4v glm-4.5v gemini-2.5-flash
claude-sonnet-5
llava:13b llama3.2-vision"""


@pytest.mark.parametrize("name", SEEING.split())
def test_models_that_see_are_known_by_name(home: Path, name: str) -> None:
    main = load(home, {**DEEPSEEK, "KAIROS_MODEL": name}).main()
    assert main is not None
    assert main.sees


@pytest.mark.parametrize("name", ["deepseek-chat", "gpt-3.5-turbo", "qwen3:8b", "glm-4.5", "kimi-k2", "fake"])
def test_others_are_taken_for_blind_unless_said(home: Path, name: str) -> None:
    main = load(home, {**DEEPSEEK, "KAIROS_MODEL": name}).main()
    told = load(home, {**DEEPSEEK, "KAIROS_MODEL": name, "KAIROS_MODEL_VISION": "true"}).main()
    assert main is not None
    assert told is not None
    assert (main.sees, told.sees) == (False, True)


def test_pasted_addresses_are_tidied(home: Path) -> None:
    env = {"KAIROS_MODEL": "x", "KAIROS_MODEL_BASE_URL": " https://a.example/v1/chat/completions/ "}
    assert load(home, env).model_base_url == "https://a.example/v1"


# ── people, language, time ─────────────────────────────────────────────────────────────────────────────────


def test_the_first_telegram_account_is_the_owner(home: Path) -> None:
    settings = load(home, {"KAIROS_TELEGRAM_ALLOWED": "12, 34，12；56"})
    assert settings.telegram_allowed == (12, 34, 56)
    assert [settings.person(one) for one in (12, 34, 99)] == ["me", "tg-34", None]
    assert load(home, toml="telegram_allowed = [7, 8]").telegram_allowed == (7, 8)
    assert load(home, toml="telegram_allowed = 7").telegram_allowed == (7,)


@pytest.mark.parametrize(
    ("text", "language"), [("zh-CN", "zh"), ("中文", "zh"), ("EN_us", "en"), ("Auto", "auto")]
)
def test_languages_as_people_write_them(home: Path, text: str, language: str) -> None:
    assert load(home, {"KAIROS_LANGUAGE": text}).language == language


def test_time_zones(home: Path) -> None:
    assert load(home, {"KAIROS_TIMEZONE": "Asia/Shanghai"}).zone() == ZoneInfo("Asia/Shanghai")
    assert load(home).zone() is not None


# ── what is wrong is said, in one sentence, without secrets ────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KAIROS_LANGUAGE", "fr"),
        ("KAIROS_TIMEZONE", "Mars/Olympus"),
        ("KAIROS_TIMEZONE", "../../etc/passwd"),
        ("KAIROS_MODEL_TIMEOUT", "soon"),
        ("KAIROS_MODEL_TIMEOUT", "-1"),
        ("KAIROS_MODEL_VISION", "perhaps"),
        ("KAIROS_MODEL_BASE_URL", "localhost:11434/v1"),
        ("KAIROS_MODEL_BASE_URL", "http://a b/v1"),
        ("KAIROS_MODEL_BASE_URL", "http://[::1/v1"),
        ("KAIROS_TELEGRAM_BASE_URL", "http://x:999999"),
        ("KAIROS_TELEGRAM_ALLOWED", "@me"),
        ("KAIROS_TELEGRAM_ALLOWED", "-100123"),
        ("KAIROS_TELEGRAM_ALLOWED", "１２"),
    ],
)
def test_a_wrong_value_names_its_key(home: Path, name: str, value: str) -> None:
    sentence = refusal(home, {name: value})
    assert name in sentence
    assert "environment" in sentence
    assert "\n" not in sentence
    assert name in refusal(home, {name: value, "LANG": "zh_CN.UTF-8"})


@pytest.mark.parametrize("value", ["sk-secret with space", "sk-secret\nline", "sk-secret密钥"])
def test_a_wrong_secret_is_never_repeated(home: Path, value: str) -> None:
    for name in ("KAIROS_MODEL_API_KEY", "KAIROS_TELEGRAM_TOKEN"):
        sentence = refusal(home, {name: value})
        assert name in sentence
        assert "sk-secret" not in sentence


def test_a_wrong_value_in_the_file_names_the_file(home: Path) -> None:
    sentence = refusal(home, toml="language = 7")
    assert "language in " in sentence
    assert "settings.toml" in sentence


@pytest.mark.parametrize(
    "toml", ["model = deepseek", 'model = "a\nb"', "[[[", 'a = 1\na = 2\nmodel_api_key = "sk-secret']
)
def test_a_broken_file_names_the_line_and_repeats_nothing(home: Path, toml: str) -> None:
    sentence = refusal(home, toml=toml)
    assert "settings.toml" in sentence
    assert "line" in sentence
    assert "sk-secret" not in sentence


def test_files_that_cannot_be_read(home: Path) -> None:
    home.mkdir()
    (home / "settings.toml").write_bytes(b"language = '\xff'")
    assert "UTF-8" in refusal(home)
    (home / "settings.toml").unlink()
    (home / "settings.toml").mkdir()
    assert "settings.toml" in refusal(home)


def test_a_file_saved_by_notepad_is_read(home: Path) -> None:
    home.mkdir()
    (home / "settings.toml").write_bytes('\ufefflanguage = "zh"\r\n'.encode())
    assert load(home).language == "zh"


def test_unknown_keys_are_warned_about_with_a_guess(home: Path) -> None:
    settings = load(home, {"KAIROS_MODLE": "x"}, toml='modle_api_key = "k"\nzzz = 1\n')
    assert len(settings.problems) == 3
    assert "model_api_key" in settings.problems[0]
    assert "KAIROS_MODEL" in settings.problems[2]


def test_tables_and_capital_names_in_the_file_are_understood(home: Path) -> None:
    settings = load(home, toml='KAIROS_LANGUAGE = "zh"\n[telegram]\nallowed = "5"\n')
    assert settings.language == "zh"
    assert settings.telegram_allowed == (5,)
    assert settings.problems == ()


def test_settings_that_make_no_sense_together(home: Path) -> None:
    assert "KAIROS_MODEL" in refusal(home, {"KAIROS_MODEL_BASE_URL": "http://localhost:1/v1"})
    assert "KAIROS_MODEL_BASE_URL" in refusal(home, {"KAIROS_MODEL": "qwen"})


# ── secrets and saving ─────────────────────────────────────────────────────────────────────────────────────


def test_secrets_do_not_show(home: Path) -> None:
    settings = load(home, {"KAIROS_TELEGRAM_TOKEN": "1:tele", "OPENAI_API_KEY": "sk-open"})
    assert set(settings.secrets()) == {"1:tele", "sk-open"}
    assert "sk-open" not in repr(settings)
    assert "1:tele" not in str(settings.model_dump())


def test_what_is_saved_is_loaded_again(home: Path) -> None:
    env = {
        **DEEPSEEK,
        "KAIROS_MODEL_API_KEY": "k",
        "KAIROS_TELEGRAM_ALLOWED": "1,2",
        "KAIROS_MODEL_VISION": "true",
    }
    settings = load(home, env)
    file = save(settings, home)
    assert load(home) == settings
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in home.iterdir()] == ["settings.toml"]


def test_openais_own_variables_are_not_saved(home: Path) -> None:
    file = save(load(home, {"OPENAI_API_KEY": "sk-open"}), home)
    assert "sk-open" not in file.read_text(encoding="utf-8")


def test_saving_keeps_what_we_do_not_know(home: Path) -> None:
    settings = load(home, toml='language = "zh"\nfuture = "kept"\n')
    text = save(settings.model_copy(update={"language": "auto"}), home).read_text(encoding="utf-8")
    assert "future" in text
    assert "language" not in text


def test_a_broken_file_is_set_aside_and_not_lost(home: Path) -> None:
    home.mkdir()
    (home / "settings.toml").write_text("[[[", encoding="utf-8")
    save(Settings(home=home, model_api_key=SecretStr("k")), home)
    assert (home / "settings.toml.broken").read_text(encoding="utf-8") == "[[["
    assert load(home).model_api_key.get_secret_value() == "k"


def test_a_home_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(HomeUnwritable):
        save(Settings(), tmp_path / "file" / "home")


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_keys_that_others_can_read_are_warned_about(home: Path) -> None:
    load(home, toml='model_api_key = "k"')
    (home / "settings.toml").chmod(0o644)
    assert "chmod" in load(home).problems[0]


def test_comments_order_and_spelling_of_the_file_stay(home: Path) -> None:
    toml = (
        "# 我的设置\nKAIROS_LANGUAGE = 'zh'  # 家里都用中文\nfuture = 1\n\n# the fast one\nmodel = \"old\" # till May\n"
        'model_api_key = "j"\n'
        '\n[telegram]\n# from BotFather\ntoken = "1:a"\nallowed = "5"\n'
    )
    settings = load(home, toml=toml)
    changed = settings.model_copy(
        update={"model": "new", "model_api_key": SecretStr("k"), "telegram_allowed": (5, 6)}
    )
    assert save(changed, home).read_text(encoding="utf-8") == (
        "# 我的设置\nKAIROS_LANGUAGE = 'zh'  # 家里都用中文\nfuture = 1\n\n# the fast one\nmodel = \"new\" # till May\n"
        'model_api_key = "k"\n\n[telegram]\n# from BotFather\ntoken = "1:a"\nallowed = [5, 6]\n'
    )
    again = load(home)
    assert (again.model, again.telegram_allowed, again.language) == ("new", (5, 6), "zh")
    assert again.model_api_key.get_secret_value() == "k"


def test_what_is_taken_back_goes_from_its_table(home: Path) -> None:
    settings = load(home, toml='# mine\n[telegram]\ntoken = "1:a"\nallowed = [5]\n')
    cleared = settings.model_copy(update={"telegram_token": SecretStr("")})
    assert save(cleared, home).read_text(encoding="utf-8") == "# mine\n[telegram]\nallowed = [5]\n"
