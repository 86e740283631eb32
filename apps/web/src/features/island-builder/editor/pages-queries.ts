import {
  changeDraft,
  type Draft,
  type HostedPages,
  listPageFiles,
  readPageFile,
} from '@astropelago/contract/hosted-pages'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { hostedPagesQuery, liveDeployment } from '../pages/pages-query.ts'

const keyOf = (id: string) => hostedPagesQuery(id).queryKey

/** The files of a deployment, which never change. */
export const deploymentFilesQuery = (id: string, of: string) =>
  queryOptions({
    queryKey: [...keyOf(id), 'files', of],
    queryFn: ({ signal }) => call(listPageFiles, { params: { id }, query: { of }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const textKey = (id: string, path: string, revision: number) =>
  [...keyOf(id), 'text', path, revision] as const

export const previewKey = (id: string) => [...keyOf(id), 'preview'] as const

/** What the draft has, or would begin with; undefined if the island has no pages yet. */
export function editedPages(pages: HostedPages): string | undefined {
  return pages.draft === null ? liveDeployment(pages)?.id : 'draft'
}

export async function showDraft(client: QueryClient, id: string, draft: Draft | null) {
  const { queryKey } = hostedPagesQuery(id)
  await client.cancelQueries({ queryKey, exact: true })
  client.setQueryData(queryKey, (pages) => pages && { ...pages, draft })
}

/** The text of a file as the server has it. */
export async function readText(client: QueryClient, id: string, path: string): Promise<string> {
  const pages = client.getQueryData(hostedPagesQuery(id).queryKey)
  const of = (pages && editedPages(pages)) ?? 'draft'
  return (await call(readPageFile, { params: { id }, query: { of, path } })).text
}

export function writeFiles(
  id: string,
  changes: readonly { readonly path: string; readonly text: string | null }[],
): Promise<Draft> {
  return call(changeDraft, { params: { id }, body: { changes: [...changes] } })
}
