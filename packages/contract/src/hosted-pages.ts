import * as v from 'valibot'
import { IslandId } from './island-id.ts'
import {
  deploymentsPerIsland,
  draftTextMaxBytes,
  pagePathMaxLength,
  reviewsListed,
} from './limits.ts'
import { defineRoute } from './route.ts'

/** The folders of `templates/`. */
export const templateNames = [
  'chat-room',
  'guest-book',
  'photo-wall',
  'scoreboard',
  'blog',
  'links',
] as const
export const TemplateName = v.picklist(templateNames, 'Choose one of the templates.')
export type TemplateName = v.InferOutput<typeof TemplateName>

/** An address on another host that visitors’ browsers will not load. */
export const BlockedAddress = v.object({
  path: v.string(),
  /** From 1. */
  line: v.number(),
  address: v.string(),
  what: v.picklist(['script', 'style', 'picture', 'frame', 'form', 'request', 'font', 'media']),
})
export type BlockedAddress = v.InferOutput<typeof BlockedAddress>

/** One upload of an island’s files. Times are ISO 8601 in UTC. */
export const Deployment = v.object({
  id: v.string(),
  createdAt: v.string(),
  source: v.picklist(['upload', 'editor', 'template']),
  fileCount: v.number(),
  bytes: v.number(),
  isLive: v.boolean(),
  /** The first ones that were found. */
  blocked: v.array(BlockedAddress),
  /** Whether an operator looks at it before it can be live on a listed island. */
  isInReview: v.boolean(),
})
export type Deployment = v.InferOutput<typeof Deployment>

export const PageFile = v.object({ path: v.string(), bytes: v.number(), isText: v.boolean() })
export type PageFile = v.InferOutput<typeof PageFile>

/** What the host has changed and not published. */
const Draft = v.object({ changedAt: v.string(), files: v.array(PageFile) })
export type Draft = v.InferOutput<typeof Draft>

export const HostedPages = v.object({
  /** Where visitors enter; null if this server hosts no pages. */
  address: v.nullable(v.string()),
  /** The newest first. */
  deployments: v.array(Deployment),
  draft: v.nullable(Draft),
  limits: v.object({ bytes: v.number(), files: v.number(), fileBytes: v.number() }),
})
export type HostedPages = v.InferOutput<typeof HostedPages>

const Path = v.pipe(v.string(), v.minLength(1), v.maxLength(pagePathMaxLength))

/** A deployment’s id, or the draft. */
const ofDeployment = { of: v.pipe(v.string(), v.maxLength(64)) }

const own = ['signed_out', 'not_found'] as const
/** Of routes that API keys can call. */
const byKey = ['invalid_api_key', 'missing_scope'] as const
const deploying = [...own, 'pages_off', 'pages_refused', 'pages_full', 'overloaded'] as const
const Deployed = v.object({
  deployment: Deployment,
  /** Files of operating systems and tools, and others whose names begin with a dot: not published. */
  leftOut: v.array(v.string()),
})

export const getPages = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/pages',
  summary: `The pages of the user’s own island: its last ${deploymentsPerIsland} deployments and its draft`,
  tag: 'Pages',
  access: 'user',
  scope: 'pages:write',
  params: IslandId,
  answers: { 200: HostedPages },
  errors: [...own, ...byKey],
})

export const deployPages = defineRoute({
  method: 'PUT',
  path: '/api/islands/:id/pages',
  summary: 'Publish the files of a zip as the pages of the user’s own island',
  tag: 'Pages',
  access: 'user',
  scope: 'pages:write',
  params: IslandId,
  body: v.instance(Uint8Array),
  bodyType: 'application/zip',
  answers: { 201: Deployed },
  errors: [...deploying, ...byKey, 'rate_limited'],
})

export const deployTemplate = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/pages/template',
  summary: 'Publish a template as the pages of the user’s own island',
  tag: 'Pages',
  access: 'user',
  params: IslandId,
  body: v.strictObject({ template: TemplateName }),
  answers: { 201: Deployed },
  errors: [...deploying, 'rate_limited'],
})

export const setLivePages = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/pages/live',
  summary: 'Bring back one of the last deployments',
  tag: 'Pages',
  access: 'user',
  scope: 'pages:write',
  params: IslandId,
  body: v.strictObject({ deployment: v.pipe(v.string(), v.maxLength(64)) }),
  answers: { 200: Deployment },
  errors: [...own, ...byKey, 'rate_limited'],
})

export const removePages = defineRoute({
  method: 'DELETE',
  path: '/api/islands/:id/pages',
  summary: 'Delete all pages of the user’s own island, with its draft',
  tag: 'Pages',
  access: 'user',
  params: IslandId,
  answers: { 204: null },
  errors: [...own, 'rate_limited'],
})

export const downloadPages = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/pages/zip',
  summary: 'The files of a deployment or of the draft, as a zip',
  tag: 'Pages',
  access: 'user',
  scope: 'pages:write',
  params: IslandId,
  query: v.strictObject(ofDeployment),
  answerType: 'application/zip',
  answers: { 200: v.string() },
  errors: [...own, ...byKey, 'rate_limited'],
})

export const listPageFiles = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/pages/files',
  summary: 'The files of a deployment or of the draft',
  tag: 'Pages',
  access: 'user',
  params: IslandId,
  query: v.strictObject(ofDeployment),
  answers: { 200: v.array(PageFile) },
  errors: own,
})

export const readPageFile = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/pages/file',
  summary: `The text of a file of at most ${draftTextMaxBytes} bytes`,
  tag: 'Pages',
  access: 'user',
  params: IslandId,
  query: v.strictObject({ ...ofDeployment, path: Path }),
  answers: { 200: v.object({ text: v.string() }) },
  errors: own,
})

export const changeDraft = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/pages/draft',
  summary:
    'Write or delete text files of the draft; the first change makes the draft from the live deployment',
  tag: 'Pages',
  access: 'user',
  params: IslandId,
  body: v.strictObject({
    /** Null deletes the file. */
    changes: v.pipe(
      v.array(v.strictObject({ path: Path, text: v.nullable(v.string()) })),
      v.minLength(1),
      v.maxLength(50),
    ),
  }),
  answers: { 200: Draft },
  errors: [...deploying, 'rate_limited'],
})

export const addToDraft = defineRoute({
  method: 'PUT',
  path: '/api/islands/:id/pages/draft',
  summary: 'Add the files of a zip to the draft, in place of files with the same paths',
  tag: 'Pages',
  access: 'user',
  params: IslandId,
  body: v.instance(Uint8Array),
  bodyType: 'application/zip',
  answers: { 200: Draft },
  errors: [...deploying, 'rate_limited'],
})

export const removeDraft = defineRoute({
  method: 'DELETE',
  path: '/api/islands/:id/pages/draft',
  summary: 'Discard the draft, if there is one',
  tag: 'Pages',
  access: 'user',
  params: IslandId,
  answers: { 204: null },
  errors: own,
})

export const publishDraft = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/pages/draft/publish',
  summary: 'Make the draft the live deployment',
  tag: 'Pages',
  access: 'user',
  params: IslandId,
  answers: { 201: Deployed },
  errors: [...deploying, 'rate_limited'],
})

export const previewDraft = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/pages/draft/preview',
  summary: 'An address that shows the draft; it opens once, within a minute',
  tag: 'Pages',
  access: 'user',
  params: IslandId,
  answers: { 201: v.object({ address: v.string() }) },
  errors: [...own, 'pages_off', 'rate_limited'],
})

/** It has a password field, or the name of this installation in a title or heading. */
export const Suspicion = v.picklist(['password', 'name'])
export type Suspicion = v.InferOutput<typeof Suspicion>

/** A deployment that was found suspicious. */
export const PagesReview = v.object({
  deployment: v.string(),
  at: v.string(),
  island: v.object({ id: v.string(), slug: v.string(), name: v.string() }),
  /** The host’s username. */
  host: v.nullable(v.string()),
  why: Suspicion,
  /** Whether the host wants the island listed. */
  isListed: v.boolean(),
})
export type PagesReview = v.InferOutput<typeof PagesReview>

export const listPagesReviews = defineRoute({
  method: 'GET',
  path: '/api/operator/pages-reviews',
  summary: `Deployments that wait for an operator, the oldest first, at most ${reviewsListed}`,
  tag: 'Operators',
  access: 'operator',
  answers: { 200: v.array(PagesReview) },
  errors: ['not_found'],
})

export const passPagesReview = defineRoute({
  method: 'POST',
  path: '/api/operator/pages-reviews/:deployment',
  summary: 'Find nothing wrong with a deployment: its island can be listed with it',
  tag: 'Operators',
  access: 'operator',
  params: v.strictObject({ deployment: v.pipe(v.string(), v.maxLength(64)) }),
  answers: { 204: null },
  errors: ['not_found'],
})

export const previewPagesReview = defineRoute({
  method: 'POST',
  path: '/api/operator/pages-reviews/:deployment/preview',
  summary: 'An address that shows a deployment in review; it opens once, within a minute',
  tag: 'Operators',
  access: 'operator',
  params: v.strictObject({ deployment: v.pipe(v.string(), v.maxLength(64)) }),
  answers: { 201: v.object({ address: v.string() }) },
  errors: ['not_found'],
})
