import { constants } from 'node:fs'
import { open, readdir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { listGuides, readGuide, type Guide } from '@astropelago/contract/guides'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { readBuildSettings } from '../../http/build-settings.ts'
import type { Serve } from '../../http/serve-route.ts'
import { PacedAnswer } from '../../paced-answer.ts'
import { drawGuide } from './draw-guide.ts'

const filesMax = 100
const fileMaxBytes = 100_000
const nameMaxLength = 64
const nameRule = 'a guide is named by a to z, 0 to 9 and single hyphens, such as house-rules.md'
const guideFile = /^([a-z0-9]+(?:-[a-z0-9]+)*)\.md$/

export async function guidesFeature(
  { clock, log }: Pick<FeatureBase, 'clock' | 'log'>,
  {
    config: { guidesDir },
    webDir,
  }: {
    readonly config: Pick<Config, 'guidesDir'>
    readonly webDir: string | undefined
  },
) {
  const builtIn = webDir === undefined ? [] : (await readBuildSettings(webDir)).guides
  const make = guidesDir === undefined ? async () => [] : guidesIn(guidesDir, builtIn, log)
  // Reads the folder at most once a second, on demand.
  const guides = new PacedAnswer({ make, clock })
  // Logs faults at the start.
  await guides.get()

  return {
    listNames: async () => [...builtIn, ...(await guides.get()).map(({ name }) => name)],
    routes: async (app: FastifyInstance, { serve }: { readonly serve: Serve }) => {
      serve(app, listGuides, async () => ({
        status: 200,
        body: (await guides.get()).map(({ name, title, summary }) => ({ name, title, summary })),
      }))

      serve(app, readGuide, async ({ params: { name } }) => {
        const guide = (await guides.get()).find((one) => one.name === name)
        if (guide === undefined) throw new DomainError('not_found')
        return { status: 200, body: guide }
      })
    },
  }
}

interface Drawn {
  readonly version: string | undefined
  readonly found: Guide | string
}

function guidesIn(
  folder: string,
  builtIn: readonly string[],
  log: Pick<FeatureBase['log'], 'warn'>,
): () => Promise<readonly Guide[]> {
  let drawnBefore: ReadonlyMap<string, Drawn> = new Map()
  let faultsBefore: ReadonlyMap<string, string> = new Map()

  return async () => {
    const drawn = new Map<string, Drawn>()
    const faults = new Map<string, string>()
    try {
      const root = await realpath(folder)
      for (const file of await listFiles(root, faults)) {
        const one = await drawFile(root, file)
        drawn.set(file, one)
        if (typeof one.found === 'string') faults.set(file, one.found)
      }
    } catch (error) {
      faults.set('', `GUIDES_DIR can’t be read: ${reasonOf(error)}`)
    }
    // Logs each fault once, and again if it was fixed meanwhile.
    for (const [file, fault] of faults) {
      if (faultsBefore.get(file) === fault) continue
      log.warn({ file: join(folder, file), fault }, 'a guide can’t be shown')
    }
    drawnBefore = drawn
    faultsBefore = faults
    return [...drawn.values()].flatMap(({ found }) => (typeof found === 'string' ? [] : [found]))
  }

  async function drawFile(root: string, file: string): Promise<Drawn> {
    try {
      const [, name = ''] = guideFile.exec(file) ?? []
      if (name === '' || name.length > nameMaxLength) throw new Error(nameRule)
      if (builtIn.includes(name)) throw new Error('the Library has a guide of that name already')
      const path = await realpath(join(root, file))
      if (!path.startsWith(`${root}${sep}`)) throw new Error('it leads out of the folder')
      return await drawIfChanged(path, name, drawnBefore.get(file))
    } catch (error) {
      return { version: undefined, found: reasonOf(error) }
    }
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

async function drawIfChanged(path: string, name: string, before?: Drawn): Promise<Drawn> {
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw new Error('it is no file')
    const version = `${stat.ino} ${stat.size} ${stat.mtimeMs}`
    if (version === before?.version) return before
    const buffer = Buffer.alloc(fileMaxBytes + 1)
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0)
    return { version, found: guideOf(name, buffer.subarray(0, bytesRead)) }
  } finally {
    await handle.close()
  }
}

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
