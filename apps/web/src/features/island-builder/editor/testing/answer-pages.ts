import {
  addToDraft,
  changeDraft,
  type Deployment,
  type Draft,
  getPages,
  listPageFiles,
  previewDraft,
  publishDraft,
  readPageFile,
  removeDraft,
} from '@astropelago/contract/hosted-pages'
import { unzipSync } from 'fflate'
import { answerApi, refused } from '../../../../test/answer-api.ts'

/** Browsers connect to no such port, so that the frame is done at once. */
const previewOrigin = 'http://localhost:9'

type Texts = Readonly<Record<string, string>>

const address = 'https://harbour-tales.isles.example/'

export function sampleDeployment(details: Partial<Deployment> = {}): Deployment {
  return {
    id: 'first',
    createdAt: '2026-01-02T03:04:05.000Z',
    source: 'template',
    fileCount: 2,
    bytes: 100,
    isLive: true,
    blocked: [],
    isInReview: false,
    ...details,
  }
}

/** A server with one island's pages. Texts end in a letter; everything else is a picture. */
export function answerPages({ live, draft }: { live?: Texts; draft?: Texts }) {
  const server = {
    live,
    draft,
    changes: 0,
    blocked: [] as Deployment['blocked'],
    /** Changes the draft, as another window would. */
    changeElsewhere: (texts: Texts) => {
      server.draft = { ...(server.draft ?? server.live), ...texts }
      server.changes += 1
    },
  }
  let deployments = live === undefined ? [] : [sampleDeployment()]
  const filesOf = (texts: Texts) =>
    Object.entries(texts).map(([path, text]) => ({
      path,
      bytes: text.length,
      isText: !path.endsWith('.png') && text.length <= 512 * 1024,
    }))
  const draftNow = (): Draft | null =>
    server.draft === undefined
      ? null
      : {
          changedAt: new Date(Date.UTC(2026, 1, 1) + server.changes * 1000).toISOString(),
          files: filesOf(server.draft),
        }
  const change = (edit: (texts: Record<string, string>) => void) => {
    const texts = { ...(server.draft ?? server.live) }
    edit(texts)
    server.changeElsewhere({})
    server.draft = texts
    const body = draftNow()
    return body === null ? refused('not_found') : { status: 200 as const, body }
  }
  const got = answerApi(getPages, () => ({
    status: 200,
    body: {
      address,
      deployments,
      draft: draftNow(),
      limits: { bytes: 50_000_000, files: 500, fileBytes: 10_000_000 },
    },
  }))
  answerApi(listPageFiles, () => ({ status: 200, body: filesOf(server.live ?? {}) }))
  const read = answerApi(readPageFile, ({ query: { of, path } }) => {
    const text = (of === 'draft' ? server.draft : server.live)?.[path]
    return text === undefined ? refused('not_found') : { status: 200, body: { text } }
  })
  const changed = answerApi(changeDraft, ({ body: { changes } }) =>
    change((texts) => {
      for (const { path, text } of changes) {
        if (text === null) delete texts[path]
        else texts[path] = text
      }
    }),
  )
  const added = answerApi(addToDraft, ({ body }) =>
    change((texts) => {
      for (const [path, bytes] of Object.entries(unzipSync(body))) {
        texts[path] = new TextDecoder().decode(bytes)
      }
    }),
  )
  const removed = answerApi(removeDraft, () => {
    server.draft = undefined
    return { status: 204 }
  })
  const published = answerApi(publishDraft, () => {
    server.live = server.draft
    server.draft = undefined
    const { blocked } = server
    const deployment = sampleDeployment({ id: `number-${server.changes}`, blocked })
    deployments = [deployment]
    return { status: 201 as const, body: { deployment, leftOut: [] as string[] } }
  })
  let tickets = 0
  const previewed = answerApi(previewDraft, () => {
    tickets += 1
    return {
      status: 201,
      body: { address: `${previewOrigin}/.astropelago/preview?ticket=${tickets}` },
    }
  })
  return { server, got, read, changed, added, removed, published, previewed }
}
