import { deployPages, type HostedPages } from '@astropelago/contract/hosted-pages'
import { zipOverheadBytes } from '@astropelago/contract/limits'
import type { AnswerBody } from '@astropelago/contract/route'
import { plural, t } from '@lingui/core/macro'
import { formatNumber, formatSize } from '../../../language/format.ts'
import { errorSentence } from '../../../lib/error-sentence.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { sendFile } from '../../../lib/send-file.ts'
import type { ChosenFiles } from './chosen-files.ts'
import { packFolder } from './pack-folder.ts'

export type Deployed = AnswerBody<typeof deployPages>

export type Progress =
  | { readonly step: 'packing' | 'sending'; readonly done: number; readonly of: number }
  /** Everything is sent, and the server unpacks and stores it. */
  | { readonly step: 'storing' }

interface DeployOptions {
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

/** Why files are not sent at all. */
class FilesRefused extends Error {
  override readonly name = 'FilesRefused'
}

/** Packs a folder and sends it. @throws FilesRefused, and as `packFolder` and `sendFile` */
export async function deployFiles(
  id: string,
  chosen: ChosenFiles,
  { address, limits }: Pick<HostedPages, 'address' | 'limits'>,
  { signal, onProgress }: DeployOptions,
): Promise<Deployed> {
  const problem = address === null ? errorSentence('pages_off') : problemOf(chosen, limits)
  if (problem !== undefined) throw new FilesRefused(problem)
  const file = chosen.kind === 'zip' ? chosen.file : await pack(chosen, { signal, onProgress })
  onProgress({ step: 'sending', done: 0, of: file.size })
  const { deployment, leftOut } = await sendFile(deployPages, {
    params: { id },
    file,
    signal,
    onSent: (done) =>
      onProgress(done < file.size ? { step: 'sending', done, of: file.size } : { step: 'storing' }),
  })
  const notPacked = chosen.kind === 'zip' ? [] : chosen.leftOut
  return { deployment, leftOut: [...new Set([...notPacked, ...leftOut])] }
}

function pack(
  { files }: Extract<ChosenFiles, { kind: 'folder' }>,
  { signal, onProgress }: DeployOptions,
): Promise<Blob> {
  const of = files.length
  onProgress({ step: 'packing', done: 0, of })
  return packFolder(files, {
    signal,
    onPacked: (done) => onProgress({ step: 'packing', done, of }),
  })
}

function problemOf(chosen: ChosenFiles, limits: HostedPages['limits']): string | undefined {
  const { bytes, kind } = chosen
  const most = formatSize(limits.bytes)
  if (kind === 'zip') {
    return bytes > limits.bytes + zipOverheadBytes
      ? t`This zip is too large. All files together may have ${most}.`
      : undefined
  }
  const count = chosen.files.length
  if (count > limits.files) {
    const mostFiles = plural(limits.files, { one: '# file', other: '# files' })
    return t`These are ${formatNumber(count)} files. Pages have at most ${mostFiles}.`
  }
  const large = chosen.files.find(({ file }) => file.size > limits.fileBytes)
  if (large !== undefined) {
    return t`“${large.path}” is too large. A file may have ${formatSize(limits.fileBytes)}.`
  }
  return bytes > limits.bytes
    ? t`These files have ${formatSize(bytes)}. All together may have ${most}.`
    : undefined
}

/** Says why pages were not published; undefined after a cancellation. */
export function pagesFailure(error: unknown): string | undefined {
  if (error instanceof FilesRefused) return error.message
  if (error instanceof DOMException) {
    return error.name === 'AbortError'
      ? undefined
      : t`One of these files could not be read. Choose them again.`
  }
  if (!(error instanceof ApiError)) return failureText(error)
  const { fields, retryAfterS } = error
  const reason = fields['files'] ?? fields['isHosted']
  if (reason !== undefined) return reason
  return error.code === 'overloaded' && retryAfterS !== undefined
    ? plural(retryAfterS, {
        one: 'The server is busy with other pages. Try again in # second.',
        other: 'The server is busy with other pages. Try again in # seconds.',
      })
    : error.sentence
}
