import type { HostedPages, PageFile } from '@astropelago/contract/hosted-pages'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Link } from 'react-router'
import FilePlus from 'virtual:icon/file-plus'
import FileUp from 'virtual:icon/file-up'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { useFocusReturn } from '../../../ui/focus.ts'
import { AddFiles } from './add-files.tsx'
import type { DraftSession } from './draft-session.ts'
import { foldersOf, startingText } from './page-paths.ts'
import { writeFiles } from './pages-queries.ts'
import { PathForm } from './path-form.tsx'

interface FileListProps {
  session: DraftSession
  id: string
  slug: string
  files: readonly PageFile[]
  limits: HostedPages['limits']
  current: string | undefined
  onOpen: () => void
  onMade: (path: string) => void
}

export function FileList(props: FileListProps) {
  const { session, id, slug, files, limits, current, onOpen, onMade } = props
  const [form, setForm] = useState<'new' | 'add'>()
  const newButton = useFocusReturn(form === 'new')
  const addButton = useFocusReturn(form === 'add')
  const names = files.map(({ path }) => path)
  const close = () => setForm(undefined)
  return (
    <>
      <div className="flex flex-wrap gap-1 border-b border-line p-2">
        <Button ref={newButton} variant="ghost" size="sm" onClick={() => setForm('new')}>
          <FilePlus aria-hidden />
          <Trans>New file</Trans>
        </Button>
        <Button ref={addButton} variant="ghost" size="sm" onClick={() => setForm('add')}>
          <FileUp aria-hidden />
          <Trans>Add files</Trans>
        </Button>
      </div>
      {form === 'new' && (
        <PathForm
          label={t`New file`}
          submit={t`Make it`}
          path=""
          taken={names}
          send={(path) =>
            session.change(
              () => writeFiles(id, [{ path, text: startingText(path) }]),
              (draft) => draft,
            )
          }
          onSent={(path) => {
            close()
            onMade(path)
          }}
          onCancel={close}
        />
      )}
      {form === 'add' && <AddFiles {...{ session, id, limits }} onClose={close} />}
      <nav aria-label={t`Files`} className="min-h-0 flex-1 overflow-y-auto p-2">
        <ul className="flex flex-col gap-2">
          {foldersOf(names).map((folder) => (
            <li key={folder.name} className="flex flex-col">
              {folder.name !== '' && (
                <span className="px-2 py-1 font-mono text-xs wrap-anywhere text-muted">
                  <bdi>{folder.name}</bdi>
                </span>
              )}
              <ul className="flex flex-col">
                {folder.files.map(({ path, name }) => (
                  <li key={path}>
                    <Link
                      to={paths.islandEditor(slug, path)}
                      replace
                      preventScrollReset
                      aria-label={path}
                      aria-current={path === current ? 'true' : undefined}
                      onClick={onOpen}
                      className="block rounded-control px-2 py-1.5 font-mono text-sm wrap-anywhere text-ink no-underline -outline-offset-2 hover:bg-hover aria-[current]:bg-hover aria-[current]:text-accent"
                    >
                      <bdi>{name}</bdi>
                    </Link>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </nav>
    </>
  )
}
