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
    "filed.similar": ("疑似重复 #{number}，两张都留着", "looks like #{number}; both are kept"),
    "filed.restored": (
        "这张在回收站里，已恢复：#{number}【{category}】《{title}》",
        "This one was in the bin and is back: #{number} [{category}] “{title}”",
    ),
    "filed.album": ("已存档 {count} 张：", "Filed {count} pictures:"),
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
    "filing.slow": (
        "处理超过了 {seconds} 秒，先放一边；/queue 里可以重试。",
        "it took more than {seconds} seconds and was put aside; /queue can retry it.",
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
    "button.place": ("移动…", "Move…"),
    "button.title": ("改名", "Rename"),
    "button.delete": ("删除", "Delete"),
    "button.unfile": ("撤销", "Undo"),
    "button.other": ("其他…", "Other…"),
    "button.drop": ("算了", "Never mind"),
    "button.dropped": ("好，不动。", "All right, it stays as it is."),
    "button.place.ask": (
        "#{number} 现在在【{category}】，移到哪里？",
        "#{number} is in [{category}]. Where shall it go?",
    ),
    "button.other.ask": (
        "把 #{number} 移到哪个分类？直接发分类名，新的也行。",
        "Which category shall #{number} go to? Send its name; a new one will do.",
    ),
    "button.title.ask": (
        "#{number} 现在叫《{title}》。直接发新名字。",
        "#{number} is called “{title}” now. Send its new name.",
    ),
    "refile.ask": (
        "按新规则「{rule}」，之前的 {count} 张图会移动。要移吗？",
        "By your new rule “{rule}”, {count} of your earlier pictures would move. Shall they?",
    ),
    "refile.line": ("#{number}《{title}》：【{old}】→【{new}】", "#{number} “{title}”: [{old}] → [{new}]"),
    "refile.more": ("…还有 {count} 张", "… and {count} more"),
    "refile.yes": ("移动 {count} 张", "Move {count}"),
    "refile.declined": ("好，之前的图不动。", "All right, the earlier pictures stay where they are."),
    "refile.nothing": ("没有要移动的了。", "There is nothing left to move."),
    "moved.many": (
        "已移动 {count} 张（#{number}）：【{old}】→【{new}】",
        "Moved {count} pictures (#{number}): [{old}] → [{new}]",
    ),
    "edit.left": ("（其余 {count} 张后来又改过，没动）", " ({count} more were changed since and stay)"),
    "renamed": ("已改名 #{number}：《{old}》→《{new}》", "Renamed #{number}: “{old}” → “{new}”"),
    "renamed.same": ("#{number} 本来就叫《{new}》。", "#{number} already is called “{new}”."),
    "renamed.back": ("↩︎ 名字改回去了 #{number}：《{new}》", "↩︎ #{number} has its old name again: “{new}”"),
    "deleted": (
        "已删除 #{number}《{title}》，放在回收站里，可以恢复",
        "Deleted #{number} “{title}”; it is in the bin and can be restored",
    ),
    "deleted.many": (
        "已删除 {count} 张（#{number}），放在回收站里，可以恢复",
        "Deleted {count} pictures (#{number}); they are in the bin and can be restored",
    ),
    "deleted.back": ("↩︎ 又放回回收站了：#{number}", "↩︎ Back in the bin: #{number}"),
    "bin.restored": (
        "↩︎ 已恢复 #{number}【{category}】《{title}》",
        "↩︎ Restored #{number} [{category}] “{title}”",
    ),
    "bin.restored.same": ("#{number} 没有被删除。", "#{number} was not deleted."),
    "bin.empty": ("回收站是空的。", "The bin is empty."),
    "bin.no_number": ("回收站里没有 #{number}。", "#{number} is not in the bin."),
    "merged": (
        "已合并：【{old}】→【{new}】，移动了 {count} 张",
        "Merged: [{old}] → [{new}], {count} pictures moved",
    ),
    "merged.same": ("它们本来就是同一个分类【{new}】。", "They are one category already: [{new}]."),
    "merged.unknown": ("没有【{name}】这个分类。", "There is no category [{name}]."),
    "merged.back": (
        "↩︎ 【{old}】又是单独的分类了，移回 {count} 张",
        "↩︎ [{old}] is a category of its own again, {count} pictures moved back",
    ),
    "pictures.file_gone": ("#{number} 的文件已经不在了。", "The file of #{number} is not there any more."),
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
    "filed.restored",
    "moved",
    "moved.back",
    "renamed",
    "renamed.back",
    "deleted",
    "deleted.back",
    "bin.restored",
    "merged",
    "merged.back",
)
