import type { PageFile } from '@astropelago/contract/hosted-pages'
import { draftTextMaxBytes } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { formatNumber } from '../../../language/format.ts'
import { AskFirst } from '../../../ui/ask-first.tsx'
import { textLinkStyles } from '../../../ui/button-styles.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorLine } from '../../../ui/error-line.tsx'
import { useFocusReturn } from '../../../ui/focus.ts'
import { FormError } from '../../../ui/form-error.tsx'
import { OnDemandPanel } from '../../../ui/on-demand-panel.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { CodeEditorProps } from './code-editor.tsx'
import type { DraftSession } from './draft-session.ts'
import { refusalText } from './page-paths.ts'
import { readText, textKey, writeFiles } from './pages-queries.ts'
import { PathForm } from './path-form.tsx'

interface TextPaneProps {
  session: DraftSession
  id: string
  file: PageFile
  /** The paths of all files. */
  names: readonly string[]
  revision: number
  goTo: CodeEditorProps['goTo']
  /** Where visitors see the published files. */
  publishedAddress: string | undefined
  /** The file has another path now, or none. */
  onMoved: (path: string | undefined) => void
}

const fetchEditor = async () => (await import('./code-editor.tsx')).CodeEditor

/** One file, with what can be done to it. Render it anew for another file or revision. */
export function TextPane(props: TextPaneProps) {
  const { session, id, file, names, revision, goTo, publishedAddress, onMoved } = props
  const { path, isText } = file
  const client = useQueryClient()
  const hintId = useId()
  const [isRenaming, setIsRenaming] = useState(false)
  const renameButton = useFocusReturn(isRenaming)
  const query = useQuery({
    queryKey: textKey(id, path, revision),
    queryFn: async () => session.unsavedText(path) ?? (await readText(client, id, path)),
    enabled: isText,
    // The text in the editor is newer as soon as somebody types.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const deleting = useMutation({
    mutationFn: () => session.change(() => writeFiles(id, [{ path, text: null }]), asItIs),
    onSuccess: () => onMoved(undefined),
  })
  const rename = (to: string) =>
    session.change(async () => {
      const text = await readText(client, id, path)
      return await writeFiles(id, [
        { path: to, text },
        { path, text: null },
      ])
    }, asItIs)

  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
        <h2 className="min-w-24 flex-1 font-mono text-sm font-medium wrap-anywhere">
          <bdi>{path}</bdi>
        </h2>
        {isText && !isRenaming && (
          <Button ref={renameButton} variant="ghost" size="sm" onClick={() => setIsRenaming(true)}>
            <Trans>Rename</Trans>
          </Button>
        )}
        <AskFirst
          label={t`Delete`}
          variant="ghost"
          keep={t`Keep it`}
          confirm={t`Delete it`}
          busy={deleting.isPending}
          onConfirm={() => deleting.mutate()}
        >
          <Trans>
            <bdi className="wrap-anywhere">{path}</bdi> is deleted from the draft.
          </Trans>
        </AskFirst>
      </div>
      <FormError>{refusalText(deleting.error)}</FormError>
      {isRenaming && (
        <PathForm
          label={t`Rename`}
          submit={t`Rename`}
          path={path}
          taken={names.filter((name) => name !== path)}
          send={rename}
          onSent={onMoved}
          onCancel={() => setIsRenaming(false)}
        />
      )}
      {!isText ? (
        <NoText file={file} publishedAddress={publishedAddress} />
      ) : query.data === undefined ? (
        <div className="flex flex-1 flex-col gap-3 p-3">
          {query.errorUpdateCount > 0 ? (
            <ErrorLine query={query}>
              {refusalText(query.error) ?? t`This file could not be loaded.`}
            </ErrorLine>
          ) : (
            <Skeleton className="w-full flex-1 rounded-control" />
          )}
        </div>
      ) : (
        <OnDemandPanel
          what={t`The editor`}
          fetchPanel={fetchEditor}
          panelProps={{
            path,
            label: t`Text of ${path}`,
            hintId,
            text: query.data,
            goTo,
            onType: (text: string) => session.type(path, text),
          }}
          skeleton={<Skeleton className="m-3 flex-1 rounded-control" />}
        />
      )}
      {isText && (
        <p id={hintId} className="border-t border-line px-3 py-2 text-xs text-muted">
          <Trans>
            Tab indents. Press Esc and then Tab to leave the text. Everything is saved by itself.
          </Trans>
        </p>
      )}
    </>
  )
}

const asItIs = <T,>(answer: T): T => answer

interface NoTextProps {
  file: PageFile
  publishedAddress: string | undefined
}

function NoText({ file: { path, bytes }, publishedAddress }: NoTextProps) {
  const address = publishedAddress && new URL(encodePath(path), publishedAddress).href
  const size = formatNumber(Math.ceil(bytes / 1000))
  const max = formatNumber(draftTextMaxBytes / 1024)
  return (
    <div className="flex flex-col items-start gap-3 p-5 text-sm text-muted">
      <p>
        {bytes > draftTextMaxBytes ? (
          <Trans>
            This file has {size} kB. Files of more than {max} KiB are not shown here.
          </Trans>
        ) : (
          <Trans>
            This file has {size} kB, and is a picture or something else that is not text.
          </Trans>
        )}{' '}
        <Trans>To replace it, add a file with the same name.</Trans>
      </p>
      {address !== undefined && (
        <a href={address} target="_blank" rel="noopener noreferrer" className={textLinkStyles}>
          <Trans>Open the published one</Trans>
        </a>
      )}
    </div>
  )
}

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/')
