import type { OwnIsland } from '@astropelago/contract/islands'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../lib/api-error.ts'
import { failureText, fieldErrors } from '../../../lib/failure-text.ts'
import { isDraft, useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { SlugField } from '../details/slug-field.tsx'
import { isSecretSlug, wishedSlug } from '../details/slug-text.ts'
import { type AccessChoice, isKnownToAll } from './audiences.ts'
import { AccessFields } from './access-fields.tsx'
import { type PublishDraft, publishDraft } from './publish-draft.ts'

interface AccessFormProps {
  island: OwnIsland
  onPublished: (island: OwnIsland) => void
  /** Called with every change. */
  onDraft?: (draft: PublishDraft) => void
  /** Additional buttons. */
  children?: ReactNode
}

/** Publishes a draft, or changes who may know about an island and enter it. */
export function AccessForm({ island, onPublished, onDraft, children }: AccessFormProps) {
  const { id } = island
  const isNew = isDraft(island)
  const kept = publishDraft(id)
  const [{ access, isListed, slug }, setDraft] = useState(
    () =>
      kept.read() ?? {
        access: island.access,
        isListed: island.isListed,
        slug: wishedSlug(island.slug),
      },
  )
  const [slugError, setSlugError] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const { publish } = useOwnIslandChanges()
  const isSecret = isSecretSlug(island.slug)
  /** An island keeps a plain slug, whatever its new access policy. */
  const takesSlug = (isNew || isSecret) && isKnownToAll({ access, isListed })
  const publishing = useMutation({
    mutationFn: () => publish(id, { access, isListed, ...(takesSlug && { slug }) }),
    onSuccess: (published) => {
      kept.clear()
      onPublished(published)
    },
    onError: (error) => {
      const isTaken = error instanceof ApiError && error.code === 'slug_taken'
      setSlugError(isTaken ? error.sentence : fieldErrors(error)['slug'])
    },
  })
  useEffect(() => onDraft?.({ access, isListed, slug }), [access, isListed, slug, onDraft])
  useEffect(() => {
    if (slugError !== undefined) form.current?.querySelector<HTMLElement>('[name=slug]')?.focus()
  }, [slugError])

  const change = (changes: Partial<ReturnType<typeof currentDraft>>) => {
    const next = { ...currentDraft(), ...changes }
    setDraft(next)
    kept.write(next)
    setSlugError(undefined)
    publishing.reset()
  }
  function currentDraft() {
    return { access, isListed, slug }
  }

  return (
    <form
      ref={form}
      noValidate
      aria-label={isNew ? 'Publish' : 'Door'}
      className="flex min-w-0 flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        if (!publishing.isPending) publishing.mutate()
      }}
    >
      <AccessFields
        value={{ access, isListed }}
        onChange={(choice) => change(isNew ? withPreset({ access, isListed }, choice) : choice)}
      />
      {takesSlug ? (
        <SlugField value={slug} error={slugError} onChange={(text) => change({ slug: text })} />
      ) : (
        isSecret && <SecretAddress slug={island.slug} />
      )}
      <FormError>
        {publishing.isError && slugError === undefined ? failureText(publishing.error) : undefined}
      </FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={publishing.isPending}>
          {isNew
            ? publishing.isPending
              ? 'Publishing…'
              : 'Publish island'
            : publishing.isPending
              ? 'Saving…'
              : 'Save door'}
        </Button>
        {children}
      </div>
    </form>
  )
}

/** A public island is listed by default, any other is not. */
function withPreset(before: AccessChoice, choice: AccessChoice): AccessChoice {
  return choice.access === before.access
    ? choice
    : { ...choice, isListed: choice.access === 'public' }
}

/** Why the address differs from the one that the host asked for. */
function SecretAddress({ slug }: { slug: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5 text-sm">
      <p className="font-medium">Address</p>
      <p className="font-mono text-xs wrap-anywhere text-muted">
        {window.location.host}
        {paths.island(slug)}
      </p>
      <p className="text-xs text-muted">
        It ends with six random characters so that nobody can guess it.
      </p>
    </div>
  )
}
