import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { type ChangeEvent, type ComponentProps, type DragEvent, useState } from 'react'
import FileArchive from 'virtual:icon/file-archive'
import FolderOpen from 'virtual:icon/folder-open'
import FolderUp from 'virtual:icon/folder-up'
import { formatSize } from '../../../language/format.ts'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { FormError } from '../../../ui/form-error.tsx'
import { type ChosenFiles, folderChosen, isZip, readDropped, zipChosen } from './chosen-files.ts'

interface ChooseFilesProps {
  chosen: ChosenFiles | undefined
  /** Why the form was not sent without files. */
  error?: string | undefined
  isBusy: boolean
  onChoose: (chosen: ChosenFiles | undefined) => void
}

/** Asks for a folder or a zip, chosen or dropped. */
export function ChooseFiles({ chosen, error, isBusy, onChoose }: ChooseFilesProps) {
  const [isOver, setIsOver] = useState(false)
  const [problem, setProblem] = useState<string>()
  const choose = (found: ChosenFiles | undefined) => {
    setProblem(found === undefined ? t`There are no files in it.` : undefined)
    if (found !== undefined) onChoose(found)
  }
  const drop = async (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    try {
      choose(await readDropped(event.dataTransfer))
    } catch {
      setProblem(t`This could not be read. Choose it with a button instead.`)
    }
  }
  if (chosen !== undefined) {
    return <Chosen chosen={chosen} isBusy={isBusy} onDrop={() => onChoose(undefined)} />
  }
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <fieldset aria-label={t`Your files`} className="contents">
        <div
          onDragOver={(event) => {
            event.preventDefault()
            setIsOver(true)
          }}
          onDragLeave={() => setIsOver(false)}
          onDrop={(event) => void drop(event)}
          className={classNames(
            'flex flex-col items-center gap-3 rounded-control border border-dashed border-edge px-4 py-8 text-center text-sm transition-colors duration-150',
            isOver && 'border-accent bg-accent-soft',
          )}
        >
          <FolderUp aria-hidden className="size-7 text-muted" />
          <p className="font-medium text-ink">
            <Trans>Drop a folder or a zip here</Trans>
          </p>
          <div className="flex flex-wrap justify-center gap-3">
            <FileButton
              label={t`Choose a folder`}
              // TypeScript does not know this attribute, which all browsers have.
              {...{ webkitdirectory: '' }}
              onChange={({ target }) => choose(folderChosen(filesIn(target)))}
            />
            <FileButton
              label={t`Choose a zip`}
              accept=".zip,application/zip"
              onChange={({ target }) => {
                const file = target.files?.[0]
                if (file === undefined) return
                if (isZip(file)) choose(zipChosen(file))
                else
                  setProblem(
                    t`${file.name} is no zip. Pack your files into one, or choose a folder.`,
                  )
              }}
            />
          </div>
          <p className="max-w-md text-xs text-muted">
            <Trans>
              Visitors first see the file index.html. Write paths within the pages without your
              computer’s folders, such as pictures/sea.jpg.
            </Trans>
          </p>
        </div>
      </fieldset>
      <FormError>{problem ?? error}</FormError>
    </div>
  )
}

function filesIn({ files }: HTMLInputElement) {
  return Array.from(files ?? [], (file) => ({ path: file.webkitRelativePath || file.name, file }))
}

interface FileButtonProps extends ComponentProps<'input'> {
  label: string
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
}

function FileButton({ label, onChange, ...input }: FileButtonProps) {
  return (
    <label
      className={`${buttonStyles({ variant: 'outline', size: 'sm' })} relative has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent`}
    >
      {label}
      <input
        {...input}
        type="file"
        className="absolute inset-0 size-full cursor-pointer opacity-0"
        onChange={(event) => {
          onChange(event)
          // Lets the user choose the same files again after correcting them.
          event.target.value = ''
        }}
      />
    </label>
  )
}

interface ChosenProps {
  chosen: ChosenFiles
  isBusy: boolean
  onDrop: () => void
}

function Chosen({ chosen, isBusy, onDrop }: ChosenProps) {
  const Icon = chosen.kind === 'zip' ? FileArchive : FolderOpen
  const size = formatSize(chosen.bytes)
  return (
    <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-control border border-accent/40 bg-accent-soft px-4 py-3 text-sm">
      <p className="flex min-w-0 items-start gap-3">
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
        <span className="flex min-w-0 flex-col">
          <bdi className="font-medium wrap-anywhere text-ink">{chosen.name}</bdi>
          <span data-numeric className="text-xs text-muted">
            {chosen.kind === 'zip'
              ? size
              : t`${plural(chosen.files.length, { one: '# file', other: '# files' })}, ${size}`}
            {chosen.kind === 'folder' && chosen.leftOut.length > 0 && (
              <>
                {' · '}
                <Plural value={chosen.leftOut.length} one="# left out" other="# left out" />
              </>
            )}
          </span>
        </span>
      </p>
      {!isBusy && (
        <Button variant="ghost" size="sm" onClick={onDrop}>
          <Trans>Choose others</Trans>
        </Button>
      )}
    </div>
  )
}
