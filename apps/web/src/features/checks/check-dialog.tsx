import type { createCheck, OwnCheck } from '@astropelago/contract/checks'
import type { AnswerBody } from '@astropelago/contract/route'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { DeleteDialog } from '../../lib/delete-dialog.tsx'
import { LinkButton } from '../../lib/link-button.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { takeFocus } from '../../ui/focus.ts'
import { useToast } from '../../ui/use-toast.ts'
import { draftOf } from './check-draft.ts'
import { CheckForm } from './check-form.tsx'
import { useCheckChanges } from './check-queries.ts'
import { oftenText } from './check-words.ts'
import { DeviceCommand } from './own-device-card.tsx'
import { ReportCommands } from './report-commands.tsx'
import { TryIt } from './try-it.tsx'

/** Only the answer that makes a check has its secret address. */
type MadeCheck = AnswerBody<typeof createCheck>

export function NewCheckDialog({ onClose }: { onClose: () => void }) {
  const { create } = useCheckChanges()
  const [made, setMade] = useState<MadeCheck>()
  const title = made === undefined ? t`New check` : t`${made.name} is ready`
  return (
    <Dialog open onOpenChange={onClose} title={title} wide>
      {made === undefined ? (
        <CheckForm
          save={create}
          onSaved={setMade}
          onCancel={onClose}
          submit={{ label: t`Create check`, busy: t`Creating…` }}
        />
      ) : (
        <NextSteps made={made} onClose={onClose} />
      )}
    </Dialog>
  )
}

function NextSteps({
  made: { id, target, device, pushUrl },
  onClose,
}: {
  made: MadeCheck
  onClose: () => void
}) {
  const leave = (
    <>
      <LinkButton to={paths.check(id)} variant="outline">
        <Trans>Open its page</Trans>
      </LinkButton>
      <Button variant="ghost" onClick={onClose}>
        <Trans>Done</Trans>
      </Button>
    </>
  )
  return (
    <>
      <p ref={takeFocus} tabIndex={-1} className="-mt-3 rounded-mark text-sm text-muted">
        {pushUrl === null ? (
          <Trans>It is checked {oftenText(target)}, starting now.</Trans>
        ) : (
          <Trans>Copy the address now. It is shown only once, and whoever has it can report.</Trans>
        )}
      </p>
      {pushUrl === null || target.kind !== 'push' ? (
        <>
          {device !== null && <DeviceCommand device={device} target={target} />}
          <TryIt id={id} label={t`Try it now`} variant="default">
            {leave}
          </TryIt>
        </>
      ) : (
        <>
          <ReportCommands url={pushUrl} target={target} />
          <div className="flex flex-wrap gap-3">{leave}</div>
        </>
      )}
    </>
  )
}

export type CheckAction = 'edit' | 'delete'

export interface OwnCheckDialogProps {
  action: CheckAction
  check: OwnCheck
  onDeleted: () => void
  onClose: () => void
}

export function OwnCheckDialog({ action, ...rest }: OwnCheckDialogProps) {
  return action === 'edit' ? <EditDialog {...rest} /> : <DeleteCheckDialog {...rest} />
}

type DialogProps = Omit<OwnCheckDialogProps, 'action'>

function EditDialog({ check, onClose }: DialogProps) {
  const { update } = useCheckChanges()
  const showToast = useToast()
  return (
    <Dialog open onOpenChange={onClose} title={t`Edit check`} wide>
      <CheckForm
        initial={draftOf(check)}
        save={({ name, target, visibility, island, device }) =>
          update(check.id, { name, target, visibility, island, device })
        }
        onSaved={() => {
          showToast({ title: t`Changes saved` })
          onClose()
        }}
        onCancel={onClose}
        submit={{ label: t`Save changes`, busy: t`Saving…` }}
      />
    </Dialog>
  )
}

function DeleteCheckDialog({ check: { id, name }, ...rest }: DialogProps) {
  const { remove } = useCheckChanges()
  return (
    <DeleteDialog
      {...rest}
      name={name}
      title={t`Delete this check?`}
      description={
        <Trans>
          <bdi className="font-medium wrap-anywhere text-ink">{name}</bdi> is deleted with its
          history. This can’t be undone.
        </Trans>
      }
      submit={t`Delete check`}
      remove={() => remove(id)}
    />
  )
}
