/** What a host chose to publish: a zip, or a folder that becomes one. */
export type ChosenFiles =
  | { readonly kind: 'zip'; readonly name: string; readonly bytes: number; readonly file: File }
  | {
      readonly kind: 'folder'
      readonly name: string
      readonly bytes: number
      readonly files: readonly FileInFolder[]
      /** Files and folders with names that begin with a dot, such as `.git`. */
      readonly leftOut: readonly string[]
    }

export interface FileInFolder {
  readonly path: string
  readonly file: File
}

/** More than any server takes, so a folder with more is not read to its end. */
const readMax = 5000

export function zipChosen(file: File): ChosenFiles {
  return { kind: 'zip', name: file.name, bytes: file.size, file }
}

/** Undefined if there are no files. */
export function folderChosen(all: readonly FileInFolder[]): ChosenFiles | undefined {
  const [first] = all
  if (first === undefined) return undefined
  const leftOut = new Set<string>()
  const files = all.filter(({ path }) => {
    const hidden = hiddenPart(path)
    if (hidden !== undefined) leftOut.add(hidden)
    return hidden === undefined
  })
  return {
    kind: 'folder',
    name: first.path.split('/', 1)[0] ?? first.path,
    bytes: files.reduce((sum, { file }) => sum + file.size, 0),
    files,
    leftOut: [...leftOut],
  }
}

/** What was dropped. Undefined if it holds no files. */
export async function readDropped({ items }: DataTransfer): Promise<ChosenFiles | undefined> {
  // All of them now, because the list is empty after the first wait.
  const dropped = Array.from(items, (item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
  }))
  const [first] = dropped
  if (dropped.length === 1 && first?.file && isZip(first.file)) return zipChosen(first.file)
  const files: FileInFolder[] = []
  for (const { entry, file } of dropped) {
    if (entry !== null) await readEntry(entry, files)
    else if (file !== null) files.push({ path: file.name, file })
  }
  return folderChosen(files)
}

export function isZip({ name, type }: File): boolean {
  return type.endsWith('zip') || type.endsWith('zip-compressed') || /\.zip$/i.test(name)
}

async function readEntry(entry: FileSystemEntry, found: FileInFolder[]): Promise<void> {
  const path = entry.fullPath.replace(/^\//, '')
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    found.push({ path, file })
    return
  }
  // Its name is enough to say that it is left out.
  if (!isDirectory(entry)) return
  if (hiddenPart(path) !== undefined) {
    found.push({ path, file: new File([], entry.name) })
    return
  }
  const reader = entry.createReader()
  // It hands out a part of a large folder at a time, and at last none.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (entries.length === 0 || found.length > readMax) return
    for (const inner of entries) await readEntry(inner, found)
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

/** The path to the first part of a path that begins with a dot. */
function hiddenPart(path: string): string | undefined {
  return /^(?:[^/]*\/)*?\.[^/]*/.exec(path)?.[0]
}
