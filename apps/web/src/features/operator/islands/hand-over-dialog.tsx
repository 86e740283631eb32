import { handOverIsland, type OperatorIsland } from '@astropelago/contract/operator-islands'
import { type FormEvent, useState } from 'react'
import { call } from '../../../lib/call.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { failureText, fieldErrors } from '../../../lib/failure-text.ts'
import { useAction } from '../operator-query.ts'

interface HandOverDialogProps {
  readonly island: OperatorIsland
  readonly onClose: () => void
}

/** Transfers an island to another host, or to the installation if the field is empty. */
export function HandOverDialog({ island, onClose }: HandOverDialogProps) {
  const { id, name, host } = island
  const [typed, setTyped] = useState('')
  const [wasTried, setWasTried] = useState(false)
  const newHost = typed.trim() === '' ? null : typed.trim()
  const handing = useAction({
    act: () => call(handOverIsland, { params: { id }, body: { host: newHost } }),
    done: (handed) => `${handed.name} belongs to ${handed.host ?? 'this server'}`,
    onDone: onClose,
  })
  // The island already belongs to the installation.
  const isMissing = newHost === null && host === null
  const handOver = (event: FormEvent) => {
    event.preventDefault()
    setWasTried(true)
    if (!isMissing) handing.mutate()
  }
  const { host: refusal } = fieldErrors(handing.error)
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
      <form onSubmit={handOver} noValidate className="flex flex-col gap-6">
        <TextField
          label="Username of its new host"
          hint={
            host === null
              ? 'Whoever is to have it.'
              : 'If this stays empty, it belongs to this server.'
          }
          error={wasTried && isMissing ? 'Say who is to have it.' : refusal}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          value={typed}
          onChange={setTyped}
        />
        <FormError>{refusal === undefined ? failureText(handing.error) : undefined}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={handing.isPending}>
            Hand it over
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
