import { createDeviceToken, type OwnDevice } from '@astropelago/contract/devices'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import KeyRound from 'virtual:icon/key-round'
import ShieldAlert from 'virtual:icon/shield-alert'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { noteOn } from '../../devices/field-notes.ts'
import { useFieldNotes } from '../../lib/use-field-notes.ts'
import type { MadeToken } from './connect-progress.ts'
import { tokenFailure } from './failure-texts.ts'

interface GenerateTokenProps {
  device: OwnDevice
  /** The last token created on this page. */
  token: string | undefined
  onToken: (made: MadeToken) => void
}

/** The second step: a token, shown only once. */
export function GenerateToken({ device, token, onToken }: GenerateTokenProps) {
  const [label, setLabel] = useState('')
  const notes = useFieldNotes<'label'>({ label }, noteOn)
  const generating = useMutation({
    mutationFn: () => {
      const trimmed = label.trim()
      const body = { deviceId: device.id, ...(trimmed !== '' && { label: trimmed }) }
      return call(createDeviceToken, { body })
    },
    onSuccess: (created) => {
      setLabel('')
      onToken(created)
    },
  })
  const { error } = generating
  const labelProblem = error instanceof ApiError ? error.fields['label'] : undefined
  const submitLabel = token === undefined ? 'Generate token' : 'Generate another token'

  return (
    <>
      <p className="text-sm text-muted">
        This secret lets <bdi className="font-medium wrap-anywhere text-ink">{device.label}</bdi>{' '}
        report, and nothing else. You can revoke it on the{' '}
        <Link to={paths.account()} className="text-accent underline underline-offset-4">
          Account
        </Link>{' '}
        page.
      </p>
      {token !== undefined && <ShownToken token={token} />}
      <form
        noValidate
        onMouseDownCapture={notes.onMouseDownCapture}
        className="flex min-w-0 flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!generating.isPending) generating.mutate()
        }}
      >
        <div className="flex min-w-0 flex-col gap-4 sm:flex-row sm:items-end">
          <TextField
            label="Token label"
            optional
            error={labelProblem}
            note={labelProblem === undefined ? notes.noteFor('label') : undefined}
            className="sm:max-w-80 sm:flex-1"
            name="label"
            autoComplete="off"
            value={label}
            onChange={(text) => {
              setLabel(text)
              notes.follow({ label: text })
            }}
            onBlur={() => void notes.leave('label')}
          />
          <Button
            type="submit"
            variant={token === undefined ? 'default' : 'outline'}
            busy={generating.isPending}
          >
            {!generating.isPending && <KeyRound aria-hidden />}
            {generating.isPending ? 'Generating…' : submitLabel}
          </Button>
        </div>
        <FormError>{error === null ? undefined : tokenFailure(error)}</FormError>
      </form>
    </>
  )
}

/** A new token. It can't be shown again. */
function ShownToken({ token }: { token: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <CodeBlock label="device token" text={token} />
      <output className="flex items-start gap-2.5 text-sm text-ink">
        <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
        <span>
          This token is shown only once. The commands below already contain it. Copy it if you want
          to keep it. When you leave this page it is gone, but you can always generate another.
        </span>
      </output>
    </div>
  )
}
