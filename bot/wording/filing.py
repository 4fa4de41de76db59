"""Receipts of pictures, and what is said about the archive. Each sentence by its key, in Chinese and in English."""

WORDS: dict[str, tuple[str, str]] = {
    "filed": ("已存档 #{number}【{category}】《{title}》", "Filed #{number} [{category}] “{title}”"),
    "filed.rule": ("规则：{rule}", "rule: {rule}"),
    "filed.unsure": ("也可能是【{other}】", "could also be [{other}]"),
    "filed.kept": (
        "已保存 #{number}，但没能读出内容：{why}",
        "Kept #{number}, but it could not be read: {why}",
    ),
    "filed.duplicate": (
        "这张已经存过了：#{number}【{category}】《{title}》",
        "You sent this one before: #{number} [{category}] “{title}”",
    ),
    "filed.similar": ("疑似与 #{number} 重复，两张都留着", "looks like #{number}; both are kept"),
    "filed.failed": ("这张图没能存档：{why}", "This picture could not be filed: {why}"),
    "filed.again": (
        "按新规则重新归档：#{number}【{category}】《{title}》",
        "Re-filed by your new rule: #{number} [{category}] “{title}”",
    ),
    "filed.unfiled": (
        "没有归档 #{number}《{title}》，原图留在【{category}】",
        "Not filed: #{number} “{title}”; the original is kept in [{category}]",
    ),
    "filed.unfiled.again": (
        "按新规则不再归档：#{number}《{title}》，原图留在【{category}】",
        "No longer filed, by your new rule: #{number} “{title}”; the original is kept in [{category}]",
    ),
    "filed.gone": ("它的文件已经不在了。", "its file is gone."),
    "filing.disk": (
        "磁盘写不进去了（已满或只读）。图片已收到，腾出空间后我会接着归档。",
        "The disk cannot be written (full or read-only). Your picture is safe; I will file it when there is room.",
    ),
    "filing.memory": (
        "记忆文件现在用不了：{what} 图片已收到，能用了我就归档。",
        "The memory files cannot be used right now: {what} Your picture is safe; I will file it when they can.",
    ),
    "filing.unknown": (
        "出了意外，已记入日志；请重新发送。",
        "something unexpected happened and was logged; please send it again.",
    ),
    "moved": ("已移动 #{number}：【{old}】→【{new}】", "Moved #{number}: [{old}] → [{new}]"),
    "moved.back": (
        "↩︎ 已移回 #{number}：【{old}】→【{new}】",
        "↩︎ Moved back #{number}: [{old}] → [{new}]",
    ),
    "moved.same": ("#{number} 本来就在【{new}】里。", "#{number} already is in [{new}]."),
    "pictures.none": ("还没有存过图片。", "No pictures have been filed yet."),
    "pictures.nothing": ("没有找到和「{words}」有关的图片。", "No picture found for “{words}”."),
    "pictures.no_number": ("没有 #{number} 这张图。", "There is no picture #{number}."),
    "pictures.count": ("一共 {count} 张，最新的在前：", "{count} in all, the newest first:"),
    "picture.line": ("#{number}【{category}】《{title}》 {date}", "#{number} [{category}] “{title}” {date}"),
}

RECEIPTS: tuple[str, ...] = (
    "filed",
    "filed.again",
    "filed.unfiled",
    "filed.unfiled.again",
    "filed.duplicate",
    "moved",
    "moved.back",
)
