import { handOverIsland, type OperatorIsland } from '@astropelago/contract/operator-islands'
import { call } from '../../../lib/call.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useAfterAction } from '../operator-query.ts'
import { SubjectName } from '../subject-details.tsx'

/** Transfers an island to another host, or to the installation if the field is empty. */
export function HandOverDialog(props: { island: OperatorIsland; onClose: () => void }) {
  const {
    island: { id, name, host },
    onClose,
  } = props
  const after = useAfterAction()
  const form = useApiForm({
    values: { host: '' },
    read: (typed) => {
      const newHost = typed.host.trim() || null
      // The island already belongs to the installation.
      const isMissing = newHost === null && host === null
      return readBy(
        handOverIsland.body,
        { host: newHost },
        { host: isMissing && 'Enter the username of its new host.' },
      )
    },
    send: (body) => call(handOverIsland, { params: { id }, body }),
    onSent: (handed) => {
      after(`${handed.name} belongs to ${handed.host ?? 'this server'}`)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Hand this island over?"
      description={
        <>
          <SubjectName>{name}</SubjectName> goes to its new host with its address, members and log;{' '}
          {host ?? 'this server'} can no longer change it. The device that carried it stays with its
          owner.
        </>
      }
    >
      <form {...form.wiring} className="flex flex-col gap-6">
        <TextField
          label="Username of its new host"
          hint={host === null ? undefined : 'If this stays empty, it belongs to this server.'}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          {...form.text('host')}
        />
        <FormActions form={form} submit="Hand it over" isCancelFirst onCancel={onClose} />
      </form>
    </Dialog>
  )
}
