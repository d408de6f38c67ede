"""Messages of videos; their Korean is in ``texts/ko/videos.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gotgan.messages import Template

# Setup and schedule

NO_VIDEOS: Final = Template("videos.no_videos", "No video has been analysed or imported yet.")
NO_KEY: Final = Template(
    "videos.no_key",
    "No YouTube key is configured. Set YOUTUBE_API_KEY (free), or import videos from files.",
)
NO_MODEL: Final = Template(
    "videos.no_model",
    "Comments are counted, and nothing is suggested. Set GOTGAN_ANALYSER=gemini and "
    "GEMINI_API_KEY, or GOTGAN_ANALYSER=openai for your own server.",
)
NONE_EXPIRED: Final = Template("videos.none_expired", "No collected data is older than 30 days.")

# Requests

NOT_A_VIDEO: Final = Template(
    "videos.not_a_video",
    "Not a YouTube URL or video ID: {video}. Use a URL such as "
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ, or an ID of 11 characters.",
)
NO_ANALYSER: Final = Template(
    "videos.no_analyser", "There is no analyser {analyser}. Use one of these: {analysers:list}."
)
NO_REASON: Final = Template(
    "videos.no_reason", "There is no reason {reason}. Use one of these: {reasons:list}."
)
REASON_WITHOUT_FORCE: Final = Template(
    "videos.reason_without_force", "A reason says why to analyse again. Use it with force."
)
NO_SOURCE: Final = Template(
    "videos.no_source",
    "Nothing is stored about {video}, and no YouTube key is configured. Set YOUTUBE_API_KEY, or "
    "import the video from a file.",
)
REFRESHED: Final = Template(
    "videos.refreshed",
    "This video was analysed again less than 10 minutes ago. Try again in "
    "{minutes:minute|minutes}.",
)
NOT_FAILED: Final = Template(
    "videos.not_failed",
    "There is nothing to retry: the last analysis of this video did not fail.",
)
NO_EARLIER_VERSION: Final = Template(
    "videos.no_earlier_version",
    "There is no analysis of an earlier version to replace. To analyse the video again, use the "
    "reason user_request.",
)
NOT_STORED: Final = Template(
    "videos.not_stored", "Nothing is stored about {video}. Analyse it first."
)
NOTHING_TO_DELETE: Final = Template(
    "videos.nothing_to_delete", "There is nothing to delete: nothing is stored about {video}."
)
NO_RESULT: Final = Template("videos.no_result", "There is no result {result}. Check the ID.")
NO_JOB: Final = Template("videos.no_job", "There is no job {job}. Check the ID.")
NOT_IN_VERSION: Final = Template(
    "videos.not_in_version", "{video} was not analysed in version {version}."
)
NO_COMMENTS: Final = Template(
    "videos.no_comments",
    "No comments of {video} are stored. Analyse the video, or import its comments.",
)
NOT_ANALYSED: Final = Template(
    "videos.not_analysed", "{video} was not analysed yet. Analyse it first."
)
NOT_FINISHED: Final = Template(
    "videos.not_finished", "The analysis of {video} is not finished. Try again when job {job} ends."
)
LAST_FAILED: Final = Template(
    "videos.last_failed", "{video} has no analysis. Its last job {job} failed: {error}"
)
BAD_CURSOR: Final = Template(
    "videos.bad_cursor", "This cursor does not belong to this list. Start without a cursor."
)

# Jobs

PAGE: Final = Template("videos.page", "page {page} of {pages}")
COMMENTS: Final = Template("videos.comments", "{count:comment|comments}")
ATTEMPT_FAILED: Final = Template(
    "videos.attempt_failed", "Attempt {count} of {total} failed: {error}"
)
TIME_LIMIT: Final = Template(
    "videos.time_limit", "The analysis took longer than {minutes:minute|minutes}. Try again."
)
ATTEMPTS_DIED: Final = Template(
    "videos.attempts_died", "None of {count:attempt|attempts} finished. Analyse the video again."
)
RECIPE_CHANGED: Final = Template(
    "videos.recipe_changed",
    "The analyser {analyser} has changed since version {version} was requested. Analyse the video "
    "again.",
)
NOTHING_KEPT: Final = Template(
    "videos.nothing_kept",
    "Nothing is stored about {video} any more. Import it again, or set YOUTUBE_API_KEY.",
)
JOB_LOST: Final = Template("videos.job_lost", "Another worker has taken over job {job}.")
SHUTDOWN: Final = Template(
    "videos.shutdown", "The program is shutting down. Another worker will run the job."
)
DEFECT: Final = Template("videos.defect", "An internal error occurred. The log has the details.")
ANALYSED_SINCE: Final = Template("videos.analysed_since", "analysed since then")
ANALYSE_AGAIN: Final = Template("videos.analyse_again", "analyse it again")
ANALYSE_AGAIN_FROM: Final = Template("videos.analyse_again_from", "analyse it again from {at} on")

# Warnings of results, and why a result is fresh for less than a day

COMMENTS_DISABLED: Final = Template(
    "videos.comments_disabled", "Comments are turned off for this video"
)
COMMENTS_FAILED: Final = Template(
    "videos.comments_failed", "YouTube failed before all comments were fetched"
)
COMMENTS_QUOTA: Final = Template(
    "videos.comments_quota", "The daily YouTube quota ran out before all comments were fetched"
)
COMMENTS_TIMEOUT: Final = Template(
    "videos.comments_timeout", "YouTube timed out before all comments were fetched"
)
COMMENTS_NONE: Final = Template("videos.comments_none", "There are no comments")
FROM_FETCHED: Final = Template(
    "videos.from_fetched",
    "{why}. The analysis is based on the {count:comment|comments} that were fetched.",
)
FROM_TEXTS: Final = Template(
    "videos.from_texts", "{why}. The analysis is based on the {texts} only."
)
FROM_NOTHING: Final = Template(
    "videos.from_nothing", "{why}. There is no title or description either."
)
TITLE: Final = Template("videos.word_title", "title")
DESCRIPTION: Final = Template("videos.word_description", "description")
SENTIMENT_METHOD: Final = Template(
    "videos.sentiment_method",
    "Counted on this machine: a small model for Korean, a list of words for English, and cues such "
    "as emoji, laughter and questions for both.",
)
"""Of results until score s3; never reworded, because they have this text."""
SENTIMENT_METHOD_4: Final = Template(
    "videos.sentiment_method_4",
    "Counted on this machine: a small model for Korean and one for English, with cues such as "
    "emoji, laughter and questions, and a list of words for English.",
)
"""Never reworded: stored results have this text."""
METHODS: Final = (SENTIMENT_METHOD, SENTIMENT_METHOD_4)
HIDDEN: Final = Template("videos.hidden", "Not public or not available: number of {figures}.")
VIEWS: Final = Template("videos.word_views", "views")
LIKES: Final = Template("videos.word_likes", "likes")
COMMENT_COUNT: Final = Template("videos.word_comments", "comments")
ANALYSER_SAYS: Final = Template("videos.analyser_says", "The analyser says: {words}")
IMPORT_USED: Final = Template(
    "videos.import_used", "Imported files were used instead of YouTube: {error}"
)
NO_CHANNEL: Final = Template("videos.no_channel", "YouTube did not return the channel.")
FILE_WITHOUT_COMMENTS: Final = Template(
    "videos.file_without_comments",
    "{file} has no comments. yt-dlp writes them with --write-comments.",
)
REFERENCES_DROPPED: Final = Template(
    "videos.references_dropped",
    "The analyser referred to comments that do not exist. {count:reference|references} removed.",
)
UNSUPPORTED_DROPPED: Final = Template(
    "videos.unsupported_dropped",
    "{count:suggestion|suggestions} of the analyser removed: without comments as evidence, or only "
    "a keyword.",
)
EVIDENCE_DROPPED: Final = Template(
    "videos.evidence_dropped", "Some of the analyser's references to comments were invalid."
)
CODE_FENCE: Final = Template(
    "videos.code_fence", "The analyser's answer was wrapped in a code block."
)
CONTROLS_REMOVED: Final = Template(
    "videos.controls_removed", "Control characters were removed from the analyser's answer."
)
WEAK_POINTS_REPLACED: Final = Template(
    "videos.weak_points_replaced",
    "The analyser's weak points were missing or invalid. A fixed sentence replaces them.",
)
FIELD_DROPPED: Final = Template(
    "videos.field_dropped", "The analyser's {field} were missing or invalid."
)
FIELDS: Final[Mapping[str, Template]] = {
    "contentIdeas": Template("videos.field_ideas", "ideas"),
    "recommendedKeywords": Template("videos.field_keywords", "keywords"),
    "titleSuggestions": Template("videos.field_titles", "titles"),
    "languageSummary": Template("videos.field_languages", "notes on languages"),
    "warnings": Template("videos.field_warnings", "own warnings"),
}
"""The fields of an analyser's answer that may be missing."""

# Answers of analysers that cannot be used

CUT_OFF: Final = Template(
    "videos.cut_off",
    "The analyser's answer was cut off. Analyse the video again, or use a model with a longer "
    "output.",
)
UNREADABLE: Final = Template(
    "videos.unreadable",
    "Could not read the analyser's answer: {why}. Analyse the video again, or use another "
    "analyser.",
)
TOO_LONG: Final = Template("videos.too_long", "it has {count} characters")
TOO_DEEP: Final = Template("videos.too_deep", "it is nested too deeply")
NOT_JSON: Final = Template("videos.not_json", "it is not JSON from line {line}, column {column} on")
LONG_NUMBER: Final = Template("videos.long_number", "it contains a number that is too long")
FIELD_TWICE: Final = Template("videos.field_twice", "an object has the same field twice")
NOT_FINITE: Final = Template("videos.not_finite", "it contains numbers that JSON does not have")
BROKEN_TEXT: Final = Template("videos.broken_text", "it contains incomplete characters")
INVALID: Final = Template(
    "videos.invalid",
    "The analyser's answer is invalid: {place} {fault}. Analyse the video again, or use another "
    "analyser.",
)
WHOLE: Final = Template("videos.whole", "the whole answer")
FAULT: Final = Template("videos.fault", "is invalid")
FAULTS: Final[Mapping[str, Template]] = {
    "extra_forbidden": Template("videos.fault_extra", "is not a known field"),
    "list_type": Template("videos.fault_list", "is not a list"),
    "missing": Template("videos.fault_missing", "is missing"),
    "model_type": Template("videos.fault_object", "is not an object"),
    "string_pattern_mismatch": Template("videos.fault_blank", "is blank"),
    "string_too_long": Template(
        "videos.fault_characters", "has more than {max_length:character|characters}"
    ),
    "string_too_short": Template("videos.fault_empty", "is empty"),
    "string_type": Template("videos.fault_text", "is not a text"),
    "too_long": Template("videos.fault_entries", "has more than {max_length:entry|entries}"),
}
"""What may be wrong in an answer, by the types of Pydantic's errors."""

# Requests to services

BUSY: Final = Template("videos.busy", "{service} is rate-limiting requests. Try again later.")
BUSY_FOR: Final = Template(
    "videos.busy_for",
    "{service} is rate-limiting requests. Try again in {seconds:second|seconds}.",
)
FAILED: Final = Template("videos.failed", "{service} failed ({why}). Try again later.")
BAD_KEY: Final = Template(
    "videos.bad_key",
    "{variable} contains characters that no key has, such as a space. Copy it again.",
)

# YouTube

VIDEO_MISSING: Final = Template(
    "videos.video_missing",
    "YouTube has no video {video}, or the video is not public. Check the ID.",
)
VIDEO_MISSING_UNTIL: Final = Template(
    "videos.video_missing_until",
    "YouTube has no video {video}, or the video is not public. Check the ID. It is not requested "
    "again before {at:datetime}.",
)
VIDEO_GONE: Final = Template(
    "videos.video_gone", "YouTube no longer has the video, or the video is not public."
)
NO_VIDEO_LIST: Final = Template(
    "videos.no_video_list", "YouTube's answer has no list of videos. Check GOTGAN_YOUTUBE."
)
YOUTUBE_NOT_JSON: Final = Template(
    "videos.youtube_not_json",
    "YouTube's answer is not a JSON object. Check that GOTGAN_YOUTUBE is the URL of the API, and "
    "try again later.",
)
YOUTUBE_TIMEOUT: Final = Template(
    "videos.youtube_timeout", "YouTube did not answer in time. Try again later."
)
YOUTUBE_FAILED: Final = Template("videos.youtube_failed", "Request to YouTube failed: {cause}")
QUOTA_USED: Final = Template(
    "videos.quota_used",
    "The daily YouTube quota of this key is used up. It resets at midnight in California. Wait, "
    "or import a file.",
)
QUOTA_USED_UNTIL: Final = Template(
    "videos.quota_used_until",
    "The daily YouTube quota of this key is used up. It resets at {at:datetime}. Wait, or import a "
    "file.",
)
QUOTA_LIMIT: Final = Template(
    "videos.quota_limit",
    "The {units:unit|units} of GOTGAN_YOUTUBE_QUOTA are used up. They reset at {at:datetime}. "
    "Wait, or import a file.",
)
API_MISSING: Final = Template(
    "videos.api_missing",
    "There is no YouTube Data API at this address ({why}). Check GOTGAN_YOUTUBE.",
)
KEY_REFUSED: Final = Template(
    "videos.key_refused",
    "YouTube refused the key ({why}). Check that YOUTUBE_API_KEY is of a project with the YouTube "
    "Data API v3 enabled, and may be used from here.",
)
KEY_FORBIDDEN: Final = Template(
    "videos.key_forbidden", "This YouTube key has no access ({why}). Try another key."
)

# Models

NO_GEMINI: Final = Template(
    "videos.no_gemini",
    "The analyser gemini needs another package. Install gotgan[gemini], or set GOTGAN_ANALYSER to "
    "another analyser.",
)
NO_GEMINI_KEY: Final = Template(
    "videos.no_gemini_key",
    "The analyser gemini needs a key. Set GEMINI_API_KEY, or set GOTGAN_ANALYSER to another "
    "analyser.",
)
GEMINI_STOPPED: Final = Template(
    "videos.gemini_stopped",
    "Gemini did not answer (reason: {reason}). Use another analyser for this video, such as "
    "builtin.",
)
GEMINI_SILENT: Final = Template(
    "videos.gemini_silent",
    "Gemini did not answer and gave no reason. Use another analyser for this video, such as "
    "builtin.",
)
GEMINI_TIMEOUT: Final = Template(
    "videos.gemini_timeout", "Gemini did not answer within {seconds} s. Try again later."
)
GEMINI_UNREACHABLE: Final = Template(
    "videos.gemini_unreachable",
    "Could not reach Gemini ({cause}). Check the network and GOTGAN_GEMINI, and try again later.",
)
GEMINI_UNREADABLE: Final = Template(
    "videos.gemini_unreadable",
    "Could not read Gemini's answer ({cause}). Check GOTGAN_GEMINI, and try again later.",
)
GEMINI_NO_MODEL: Final = Template(
    "videos.gemini_no_model",
    "Gemini has no model {model} for this key. Set GOTGAN_GEMINI_MODEL to another model.",
)
GEMINI_KEY_REFUSED: Final = Template(
    "videos.gemini_key_refused",
    "Gemini refused the key ({why}). Check GEMINI_API_KEY and what it is allowed to do.",
)
GEMINI_REFUSED: Final = Template(
    "videos.gemini_refused",
    "Gemini refused the request ({why}). Check that GOTGAN_GEMINI_MODEL is a model that answers in "
    "JSON.",
)
MODEL_TIMEOUT: Final = Template(
    "videos.model_timeout", "The model {model} did not answer in time: {cause}"
)
MODEL_FAILED: Final = Template(
    "videos.model_failed", "Request to the model {model} failed: {cause}"
)
MODEL_KEY_REFUSED: Final = Template(
    "videos.model_key_refused",
    "The server of {model} refused the key ({why}). Check OPENAI_API_KEY.",
)
MODEL_MISSING: Final = Template(
    "videos.model_missing",
    "There is no model {model} at this address ({why}). Check GOTGAN_OPENAI and "
    "GOTGAN_OPENAI_MODEL. With Ollama, pull the model first.",
)
MODEL_REFUSED: Final = Template(
    "videos.model_refused",
    "The server of {model} refused the request ({why}). Check that the model accepts about 20,000 "
    "tokens.",
)
MODEL_DECLINED: Final = Template(
    "videos.model_declined",
    "The model declined to answer. Use another analyser for this video, such as builtin.",
)
NOT_OPENAI: Final = Template(
    "videos.not_openai",
    "The server does not have OpenAI's API. Check GOTGAN_OPENAI, which often ends in /v1.",
)

# Files

OF_FILE: Final = Template("videos.of_file", "{file}: {fault}")
OF_PLACE: Final = Template("videos.of_place", "{file}, {place}: {fault}")
LINE: Final = Template("videos.line", "line {line}")
ITEM: Final = Template("videos.item", "item {item}")
COMMENT: Final = Template("videos.comment", "comment {comment}")
FILE_TOO_LARGE: Final = Template(
    "videos.file_too_large", "{file} has more than {count} bytes. Split it by video."
)
FILE_EMPTY: Final = Template(
    "videos.file_empty",
    "The file has no videos and no comments. Import answers of the YouTube API, the .info.json of "
    "yt-dlp, the JSON of youtube-comment-downloader, or a table with the columns video_id and "
    "text.",
)
BAD_JSON: Final = Template(
    "videos.bad_json", "Not valid JSON in UTF-8 ({cause}). Save the file again."
)
VIDEO_UNNAMED: Final = Template(
    "videos.video_unnamed", "The file does not name its video. Enter the video with the file."
)
COMMENT_TOO_LONG: Final = Template(
    "videos.comment_too_long",
    "The comment has more than {count} characters, the most that YouTube allows. Check for a "
    "missing quotation mark, or shorten it.",
)
TOO_MANY_COMMENTS: Final = Template(
    "videos.too_many_comments", "The file has more than {count} comments. Split it."
)
TOO_MANY_CELLS: Final = Template(
    "videos.too_many_cells",
    "The row has {count:cell|cells}, and the header has {width}. Put quotes around text that "
    'contains a separator: "well, well".',
)
NOT_A_NUMBER: Final = Template(
    "videos.not_a_number",
    "{column} is not a number: {value}. Write digits, or leave it empty.",
)
NOT_A_TIME: Final = Template(
    "videos.not_a_time",
    "{column} is not a time: {value}. Write 2025-01-31T12:00:00Z, or leave it empty.",
)
ENDS_EARLY: Final = Template(
    "videos.ends_early", "The file ends within a character. Save it again."
)
NOT_UTF8: Final = Template("videos.not_utf8", "The text is not UTF-8. Save the file as UTF-8.")
NO_VIDEO_COLUMN: Final = Template(
    "videos.no_video_column",
    "No column is called video_id. Add one, or enter the video with the file.",
)
NO_TEXT_COLUMN: Final = Template(
    "videos.no_text_column",
    "No column is called text or comment. The columns are video_id and text, and optionally "
    "comment_id, likes, published_at and title.",
)
BAD_TABLE: Final = Template(
    "videos.bad_table", "Could not read the table ({cause}). Save the file again."
)
OTHER_SITE: Final = Template(
    "videos.other_site", "The video is not on YouTube. Only YouTube videos can be imported."
)
PLAYLIST: Final = Template(
    "videos.playlist", "This is a list of videos. Import the .info.json of each video."
)
USE_AN_ID: Final = Template("videos.use_an_id", "use an ID of letters, digits, - and _")
USE_A_VERSION: Final = Template("videos.use_a_version", "use a version such as v1")
