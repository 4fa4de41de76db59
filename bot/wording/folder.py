"""What is said about the archive as a folder. Each sentence by its key, in Chinese and in English."""

WORDS: dict[str, tuple[str, str]] = {
    "folder.followed": (
        "你在文件夹里改了归档，我照着记下了：",
        "You changed pictures in the folder; I have followed:",
    ),
    "folder.moved": ("#{number}：【{old}】→【{new}】", "#{number}: [{old}] → [{new}]"),
    "folder.renamed": ("#{number}：《{old}》→《{new}》", "#{number}: “{old}” → “{new}”"),
    "folder.tagged": ("#{number} 标签：{tags}", "#{number} tags: {tags}"),
    "folder.edited": ("#{number} 的说明和文字", "#{number}: its summary and text"),
    "folder.deleted": ("#{number} 进了回收站", "#{number} went to the bin"),
    "folder.back": ("#{number} 回到【{new}】", "#{number} is back in [{new}]"),
    "folder.gone": (
        "#{number}《{title}》的文件被删了，不再列出。",
        "The file of #{number} “{title}” was deleted; it is listed no more.",
    ),
    "folder.more": ("… 还有 {count} 张", "… and {count} more"),
    "folder.undone": ("↩︎ 改回去了：#{number}", "↩︎ As it was before: #{number}"),
    "folder.same": ("文件夹和记录一致。", "The folder and the records agree."),
    "folder.missing": (
        "archive 文件夹不在或是空的（磁盘没接上？），什么都没改。",
        "The archive folder is away or empty (is a disk missing?); nothing was changed.",
    ),
    "folder.unknown": ("不认识，没有动：{file}", "Not known, left alone: {file}"),
    "folder.rebuilt": (
        "从文件夹重建：{taken} 张新收进来，{known} 张本来就有，{failed} 个没能读。",
        "Rebuilt from the folder: {taken} taken in, {known} known before, {failed} could not be read.",
    ),
    "folder.unread": ("没能读：{file}（{why}）", "Not read: {file} ({why})"),
    "folder.copy": ("和 #{number} 一模一样", "the same as #{number}"),
    "folder.unreadable": ("文件打不开", "the file cannot be opened"),
    "folder.renumbered": (
        "编号 #{old} 已被占用，{file} 改为 #{new}",
        "#{old} is taken, so {file} became #{new}",
    ),
    "folder.exported": (
        "已导出 {count} 张到 {file}",
        "{count} pictures exported to {file}",
    ),
    "folder.exists": ("{file} 已经存在，换个名字。", "{file} is there already; choose another name."),
    "folder.no_place": ("写不进 {file}（{why}）。", "{file} cannot be written ({why})."),
    "folder.exports_missing": (
        "{count} 张的文件不在，没有导出。",
        "{count} pictures have no file and are left out.",
    ),
}

RECEIPTS: tuple[str, ...] = ("folder.followed", "folder.undone")
