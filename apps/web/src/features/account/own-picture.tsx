import { avatarTypes, removeAvatar, setAvatar } from '@astropelago/contract/avatars'
import { avatarMaxBytes } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useState } from 'react'
import * as v from 'valibot'
import { call } from '../../lib/call.ts'
import { errorSentence } from '../../lib/error-sentence.ts'
import { useUser } from '../../lib/use-user.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { takeFocus, useFocusReturn } from '../../ui/focus.ts'
import { useToast } from '../../ui/use-toast.ts'
import { accountFailure } from './account-failure.ts'
import { ChooseFile } from '../../ui/choose-file.tsx'
import { useProfileChange } from './use-profile-change.ts'

interface ChosenPicture {
  readonly file: File
  /** The page's content security policy allows no blob URLs. */
  readonly dataUrl: string
}

export function OwnPicture() {
  const { avatar, isDemo } = useUser()
  const [chosen, setChosen] = useState<ChosenPicture>()
  const [problem, setProblem] = useState<string>()
  const input = useFocusReturn<HTMLInputElement>(chosen !== undefined)
  const hintId = useId()
  const showToast = useToast()

  const removing = useProfileChange(
    () => call(removeAvatar),
    () => {
      showToast({ title: t`Picture removed` })
      input.current?.focus()
    },
  )

  const choose = async (file: File) => {
    removing.reset()
    setProblem(problemOf(file))
    if (problemOf(file) !== undefined) return
    try {
      setChosen({ file, dataUrl: await readDataUrl(file) })
    } catch {
      setProblem(t`This file could not be read. Choose it again.`)
    }
  }

  return (
    <fieldset className="flex min-w-0 flex-col gap-3 border-t border-line pt-5">
      <legend className="float-start text-sm font-medium">
        <Trans>Your picture</Trans>
      </legend>
      {isDemo && (
        <p className="text-sm text-muted">
          <Trans>A demo account can’t have one. Register to have an account of your own.</Trans>
        </p>
      )}
      {!isDemo && chosen === undefined && (
        <>
          <ChooseFile
            ref={input}
            label={avatar === null ? t`Choose a picture` : t`Choose another picture`}
            busyLabel={t`Reading the file…`}
            accept={avatarTypes.join(',')}
            busy={false}
            hintId={hintId}
            onChoose={(file) => void choose(file)}
          />
          <p id={hintId} className="text-xs text-muted">
            <Trans>
              PNG, JPEG or WebP of at most 1 MB. It is cut to a square, and what a camera wrote into
              it, such as the place, is left out.
            </Trans>
          </p>
          <FormError>
            {problem ?? (removing.isError ? accountFailure(removing.error) : undefined)}
          </FormError>
          {avatar !== null && (
            <Button
              variant="outline"
              size="sm"
              className="self-start"
              busy={removing.isPending}
              busyLabel={t`Removing…`}
              onClick={() => {
                setProblem(undefined)
                removing.mutate()
              }}
            >
              <Trans>Remove your picture</Trans>
            </Button>
          )}
        </>
      )}
      {chosen !== undefined && (
        <Preview
          picture={chosen}
          onBroken={() => {
            setChosen(undefined)
            setProblem(errorSentence('avatar_broken'))
          }}
          onClose={() => setChosen(undefined)}
        />
      )}
    </fieldset>
  )
}

interface PreviewProps {
  picture: ChosenPicture
  onBroken: () => void
  onClose: () => void
}

function Preview({ picture: { file, dataUrl }, onBroken, onClose }: PreviewProps) {
  const showToast = useToast()
  const saving = useProfileChange(
    async () => await call(setAvatar, { body: new Uint8Array(await file.arrayBuffer()) }),
    () => {
      showToast({ title: t`Picture saved` })
      onClose()
    },
  )
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex min-w-0 items-center gap-4">
        <img
          src={dataUrl}
          alt={t`As others will see it`}
          onError={onBroken}
          className="size-24 shrink-0 rounded-full object-cover"
        />
        <p className="min-w-0 text-sm wrap-anywhere text-muted">{file.name}</p>
      </div>
      <FormError>{saving.isError ? accountFailure(saving.error) : undefined}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button
          ref={takeFocus}
          size="sm"
          busy={saving.isPending}
          busyLabel={t`Uploading…`}
          onClick={() => saving.mutate()}
        >
          <Trans>Use this picture</Trans>
        </Button>
        <Button variant="ghost" size="sm" disabled={saving.isPending} onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </div>
  )
}

function problemOf({ size, type }: File): string | undefined {
  if (size > avatarMaxBytes) return errorSentence('avatar_too_large')
  // The browser may not recognise a file's type although it is one of those allowed.
  const isAccepted = type === '' || avatarTypes.some((one) => one === type)
  return isAccepted ? undefined : errorSentence('avatar_type')
}

async function readDataUrl(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.addEventListener('load', () => resolve(v.parse(v.string(), reader.result)))
  reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')))
  reader.readAsDataURL(file)
  return await promise
}
