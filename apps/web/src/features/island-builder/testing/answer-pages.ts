import {
  type Deployment,
  deployPages,
  deployTemplate,
  getPages,
  type HostedPages,
  removePages,
  setLivePages,
} from '@astropelago/contract/hosted-pages'
import { answerApi, refused } from '../../../test/answer-api.ts'

export function sampleDeployment(details: Partial<Deployment> = {}): Deployment {
  return {
    id: crypto.randomUUID(),
    createdAt: '2026-01-02T03:04:05.000Z',
    source: 'upload',
    fileCount: 12,
    bytes: 3_200_000,
    isLive: false,
    blocked: [],
    isInReview: false,
    ...details,
  }
}

const retired = (deployment: Deployment): Deployment => ({ ...deployment, isLive: false })

const names = (...all: string[]) => all

/** A server with the pages of one island, with changes kept as the server keeps them. */
export function answerPages(
  deployments: readonly Deployment[] = [],
  details: Partial<HostedPages> = {},
) {
  const pages: HostedPages = {
    address: 'https://harbour-tales.isles.example/',
    draft: null,
    limits: { bytes: 50_000_000, files: 500, fileBytes: 10_000_000 },
    ...details,
    deployments: [...deployments],
  }
  const goLive = (live: Deployment) => {
    const others = pages.deployments.filter(({ id }) => id !== live.id)
    const rest = others.map(retired)
    pages.deployments = [{ ...live, isLive: true }, ...rest]
    return { ...live, isLive: true }
  }
  const asked = answerApi(getPages, () => ({ status: 200, body: pages }))
  const uploaded = answerApi(deployPages, ({ body }) => ({
    status: 201,
    body: {
      deployment: goLive(sampleDeployment({ bytes: body.length, fileCount: 1 })),
      leftOut: names('Thumbs.db'),
    },
  }))
  const begun = answerApi(deployTemplate, () => ({
    status: 201,
    body: { deployment: goLive(sampleDeployment({ source: 'template' })), leftOut: names() },
  }))
  const broughtBack = answerApi(setLivePages, ({ body }) => {
    const found = pages.deployments.find(({ id }) => id === body.deployment)
    return found === undefined ? refused('not_found') : { status: 200, body: goLive(found) }
  })
  const removed = answerApi(removePages, () => {
    pages.deployments = []
    pages.draft = null
    return { status: 204 }
  })
  return { pages, asked, uploaded, begun, broughtBack, removed }
}
