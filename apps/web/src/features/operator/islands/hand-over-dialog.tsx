import { handOverIsland, type OperatorIsland } from '@astropelago/contract/operator-islands'
import { call } from '../../../lib/call.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useAfterAction } from '../operator-query.ts'

interface HandOverDialogProps {
  readonly island: OperatorIsland
  readonly onClose: () => void
}

/** Transfers an island to another host, or to the installation if the field is empty. */
export function HandOverDialog({ island, onClose }: HandOverDialogProps) {
  const { id, name, host } = island
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
        { host: isMissing && 'Say who is to have it.' },
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
          <bdi className="font-medium wrap-anywhere text-ink">{name}</bdi> goes to its new host with
          its address, members and log; {host ?? 'this server'} can change it no more. The device
          that carried it does not go along.
        </>
      }
    >
      <form {...form.wiring} className="flex flex-col gap-6">
        <TextField
          label="Username of its new host"
          hint={
            host === null
              ? 'Whoever is to have it.'
              : 'If this stays empty, it belongs to this server.'
          }
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          {...form.text('host')}
        />
        <FormError>{form.failure}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={form.isBusy}>
            Hand it over
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
