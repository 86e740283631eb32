import { constants } from 'node:fs'
import { open, readdir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Guide } from '@astropelago/contract/guides'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { PacedAnswer } from '../../paced-answer.ts'
import { drawGuide } from './draw-guide.ts'

const filesMax = 100
const fileMaxBytes = 100_000
const nameMaxLength = 64
const nameRule = 'a guide is named by a to z, 0 to 9 and single hyphens, such as house-rules.md'
const guideFile = /^([a-z0-9]+(?:-[a-z0-9]+)*)\.md$/

interface GuidesFolderOptions {
  readonly folder: string
  /** Names of the Library's own guides. No file can take them. */
  readonly builtIn: readonly string[]
  readonly clock: Clock
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/** A version of a file: a guide, or the reason why it is not one. */
interface Drawn {
  readonly version: string
  readonly found: Guide | string
}

/** The Markdown files of a folder as guides. The folder is read at most once a second, on demand. */
export class GuidesFolder {
  readonly #options: GuidesFolderOptions
  readonly #guides: PacedAnswer<readonly Guide[]>
  /** By file, to draw again only what has changed. */
  #drawn: ReadonlyMap<string, Drawn> = new Map()
  /** Faults that were logged, by file. */
  #faults: ReadonlyMap<string, string> = new Map()

  constructor(options: GuidesFolderOptions) {
    this.#options = options
    this.#guides = new PacedAnswer({
      make: () => this.#readFolder(),
      isCurrent: () => false,
      clock: options.clock,
    })
  }

  /** In the order of file names. */
  read(): Promise<readonly Guide[]> {
    return this.#guides.get()
  }

  async #readFolder(): Promise<readonly Guide[]> {
    const drawn = new Map<string, Drawn>()
    const faults = new Map<string, string>()
    const guides: Guide[] = []
    try {
      const root = await realpath(this.#options.folder)
      for (const file of await listFiles(root, faults)) {
        try {
          const one = await this.#drawFile(root, file)
          drawn.set(file, one)
          if (typeof one.found === 'string') faults.set(file, one.found)
          else guides.push(one.found)
        } catch (error) {
          faults.set(file, reasonOf(error))
        }
      }
    } catch (error) {
      faults.set('', `GUIDES_DIR can’t be read: ${reasonOf(error)}`)
    }
    this.#drawn = drawn
    this.#log(faults)
    return guides
  }

  /** @throws if the file cannot be read */
  async #drawFile(root: string, file: string): Promise<Drawn> {
    const [, name = ''] = guideFile.exec(file) ?? []
    if (name === '' || name.length > nameMaxLength) throw new Error(nameRule)
    if (this.#options.builtIn.includes(name)) {
      throw new Error('the Library has a guide of that name already')
    }
    const path = await realpath(join(root, file))
    if (!path.startsWith(`${root}${sep}`)) throw new Error('it leads out of the folder')
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
    const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const stat = await handle.stat()
      if (!stat.isFile()) throw new Error('it is no file')
      const version = `${stat.ino} ${stat.size} ${stat.mtimeMs}`
      const before = this.#drawn.get(file)
      if (version === before?.version) return before
      const buffer = Buffer.alloc(fileMaxBytes + 1)
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0)
      return { version, found: guideOf(name, buffer.subarray(0, bytesRead)) }
    } finally {
      await handle.close()
    }
  }

  /** Logs each fault once, and again if it was fixed meanwhile. */
  #log(faults: ReadonlyMap<string, string>): void {
    const { folder, log } = this.#options
    for (const [file, fault] of faults) {
      if (this.#faults.get(file) === fault) continue
      log.warn({ file: join(folder, file), fault }, 'a guide can’t be shown')
    }
    this.#faults = faults
  }
}

async function listFiles(root: string, faults: Map<string, string>): Promise<readonly string[]> {
  const all = await readdir(root)
  // The folder's own README and what editors leave behind are not guides.
  const files = all.filter((file) => /^[^.].*\.md$/.test(file) && file !== 'README.md')
  if (files.length > filesMax) {
    faults.set('', `GUIDES_DIR has ${files.length} guides: the first ${filesMax} are shown`)
  }
  return files.toSorted().slice(0, filesMax)
}

/** @returns the guide, or the reason why it is not one */
function guideOf(name: string, bytes: Uint8Array): Guide | string {
  if (bytes.length > fileMaxBytes) return 'it is larger than 100 kB'
  try {
    return { name, ...drawGuide(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) }
  } catch (error) {
    return error instanceof TypeError ? 'it is not UTF-8' : reasonOf(error)
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
