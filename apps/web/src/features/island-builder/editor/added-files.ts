import { zipSync } from 'fflate'

export interface AddedFile {
  readonly path: string
  readonly file: File
}

/** The files that were dropped, and those in dropped folders. Files that begin with a dot are left out. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<AddedFile[]> {
  // The browser empties the list after the event.
  const entries = [...items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null)
  if (entries.length === 0) return plainFiles(files)
  const found = await Promise.all(entries.map(filesIn))
  return found.flat()
}

export function plainFiles(files: Iterable<File>): AddedFile[] {
  return [...files].map((file) => ({ path: file.name, file }))
}

async function filesIn(entry: FileSystemEntry): Promise<AddedFile[]> {
  if (entry.name.startsWith('.')) return []
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return [{ path: entry.fullPath.slice(1), file }]
  }
  if (!isFolder(entry)) return []
  const reader = entry.createReader()
  const found: AddedFile[] = []
  // Browsers list at most 100 entries at once.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
    if (entries.length === 0) return found
    for (const each of entries) found.push(...(await filesIn(each)))
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** Not compressed: pictures and sounds are already, and make up most of what is added. */
export async function zipOf(files: readonly AddedFile[], folder: string) {
  const contents = await Promise.all(
    files.map(async ({ path, file }) => {
      const bytes = new Uint8Array(await file.arrayBuffer())
      return [folder === '' ? path : `${folder}/${path}`, bytes] as const
    }),
  )
  return zipSync(Object.fromEntries(contents), { level: 0 })
}
