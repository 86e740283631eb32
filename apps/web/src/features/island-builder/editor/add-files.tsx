import { addToDraft, type HostedPages } from '@astropelago/contract/hosted-pages'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { formatNumber } from '../../../language/format.ts'
import { sendFile } from '../../../lib/send-file.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { takeFocus } from '../../../ui/focus.ts'
import { FormError } from '../../../ui/form-error.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { verbatimInput } from '../../../ui/verbatim-input.ts'
import { type AddedFile, droppedFiles, plainFiles, zipOf } from './added-files.ts'
import type { DraftSession } from './draft-session.ts'
import { refusalText, tidyPath } from './page-paths.ts'

interface AddFilesProps {
  session: DraftSession
  id: string
  limits: HostedPages['limits']
  onClose: () => void
}

/** Adds files of this computer to the draft. */
export function AddFiles({ session, id, limits, onClose }: AddFilesProps) {
  const inputId = useId()
  const showToast = useToast()
  const [folder, setFolder] = useState('')
  const [isOver, setIsOver] = useState(false)
  const [tooLarge, setTooLarge] = useState<string>()
  const adding = useMutation({
    mutationFn: async (files: readonly AddedFile[]) => {
      const zip = await zipOf(files, tidyPath(folder).replace(/\/+$/, ''))
      // A large file on a slow line takes longer than `call` waits.
      const file = new Blob([zip])
      const send = () => sendFile(addToDraft, { params: { id }, file })
      await session.change(send, (draft) => draft)
    },
    onSuccess: () => {
      showToast({ title: t`The files are in the draft` })
      // What was open may be one of them.
      session.readAgain()
      onClose()
    },
  })
  const add = (files: readonly AddedFile[]) => {
    if (files.length === 0) return
    const large = files.find(({ file }) => file.size > limits.fileBytes)
    const mb = formatNumber(Math.floor(limits.fileBytes / 1_000_000))
    setTooLarge(large && t`${large.path} is too large. A file has at most ${mb} MB.`)
    if (large === undefined) adding.mutate(files)
  }
  return (
    <section aria-label={t`Add files`} className="flex flex-col gap-3 p-3">
      <TextField
        label={t`Folder`}
        optional
        {...verbatimInput}
        value={folder}
        onChange={setFolder}
      />
      <div
        className={classNames(
          'relative rounded-control border border-dashed border-edge px-3 py-6 text-center text-sm hover:border-muted has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
          isOver && 'border-accent bg-accent-soft',
        )}
      >
        <label htmlFor={inputId} className="text-ink">
          {adding.isPending ? t`Adding…` : t`Choose files, or drop files and folders here`}
        </label>
        {/* Covers the whole area, because browsers accept dropped files on it. */}
        <input
          ref={takeFocus}
          id={inputId}
          type="file"
          multiple
          disabled={adding.isPending}
          className="absolute inset-0 size-full cursor-pointer opacity-0"
          onDragOver={() => setIsOver(true)}
          onDragLeave={() => setIsOver(false)}
          onDrop={(event) => {
            // The input alone would not look into folders.
            event.preventDefault()
            setIsOver(false)
            void droppedFiles(event.dataTransfer).then(add)
          }}
          onChange={({ target }) => {
            add(plainFiles(target.files ?? []))
            // Lets the user choose the same file again.
            target.value = ''
          }}
        />
      </div>
      <FormError>{tooLarge ?? refusalText(adding.error)}</FormError>
      <Button variant="outline" size="sm" onClick={onClose}>
        <Trans>Cancel</Trans>
      </Button>
    </section>
  )
}
