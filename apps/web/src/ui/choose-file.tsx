import { Trans } from '@lingui/react/macro'
import { type Ref, useId, useState } from 'react'
import FileUp from 'virtual:icon/file-up'
import { classNames } from './class-names.ts'
import { Spinner } from './spinner.tsx'

interface ChooseFileProps {
  label: string
  busyLabel: string
  accept: string
  busy: boolean
  hintId?: string
  ref?: Ref<HTMLInputElement>
  onChoose: (file: File) => void
}

export function ChooseFile(props: ChooseFileProps) {
  const { label, busyLabel, accept, busy, hintId, ref, onChoose } = props
  const id = useId()
  const [isOver, setIsOver] = useState(false)
  return (
    <div
      className={classNames(
        'relative flex flex-col items-center gap-2 rounded-control border border-dashed border-edge px-4 py-8 text-center text-sm transition-colors duration-150 hover:border-muted has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
        isOver && 'border-accent bg-accent-soft',
      )}
    >
      {busy ? <Spinner /> : <FileUp aria-hidden className="size-6 text-muted" />}
      <label htmlFor={id} className="font-medium text-ink">
        {busy ? busyLabel : label}
      </label>
      <span className="text-xs text-muted">
        <Trans>or drop it here</Trans>
      </span>
      {/* Covers the whole area, because browsers accept dropped files on it. */}
      <input
        ref={ref}
        id={id}
        type="file"
        accept={accept}
        aria-describedby={hintId}
        disabled={busy}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
        onDragOver={() => setIsOver(true)}
        onDragLeave={() => setIsOver(false)}
        onDrop={() => setIsOver(false)}
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file !== undefined) onChoose(file)
          // Lets the user choose the same file again after correcting it.
          target.value = ''
        }}
      />
    </div>
  )
}
