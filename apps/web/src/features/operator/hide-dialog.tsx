import { hideSubject, type ReportKind } from '@astropelago/contract/reports'
import type { ReactNode } from 'react'
import { call } from '../../lib/call.ts'
import { ReasonDialog } from './reason-dialog.tsx'

interface HideDialogProps {
  readonly title: string
  readonly subject: { readonly kind: ReportKind; readonly id: string }
  readonly name: string
  /** The reader of the reason, such as 'its owner'. */
  readonly reader: string
  /** The consequences. */
  readonly children: ReactNode
  readonly onClose: () => void
}

/** Hides something from everybody except its owner, with a reason for the owner. */
export function HideDialog({ title, subject, name, reader, children, onClose }: HideDialogProps) {
  return (
    <ReasonDialog
      title={title}
      reader={reader}
      action="Hide it"
      act={(reason) => call(hideSubject, { params: subject, body: { reason } })}
      done={`${name} is hidden`}
      onClose={onClose}
    >
      {children}
    </ReasonDialog>
  )
}
