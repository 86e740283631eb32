import { type OwnIsland, publishIsland } from '@astropelago/contract/islands'
import { type ReactNode, useEffect } from 'react'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
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
  const isSecret = isSecretSlug(island.slug)
  /** An island keeps a plain slug, whatever its new access policy. */
  const takesSlug = (choice: AccessChoice) => (isNew || isSecret) && isKnownToAll(choice)
  const { publish } = useOwnIslandChanges()
  const form = useApiForm({
    values: {
      access: island.access,
      isListed: island.isListed,
      slug: wishedSlug(island.slug),
    },
    draft: publishDraft(id),
    read: ({ access, isListed, slug }) =>
      readBy(publishIsland.body, {
        access,
        isListed,
        ...(takesSlug({ access, isListed }) && { slug }),
      }),
    send: (body) => publish(id, body),
    onSent: onPublished,
    fieldOf: { slug_taken: 'slug' },
  })
  const { access, isListed, slug } = form.values
  useEffect(() => onDraft?.({ access, isListed, slug }), [access, isListed, slug, onDraft])

  return (
    <form
      {...form.wiring}
      aria-label={isNew ? 'Publish' : 'Door'}
      className="flex min-w-0 flex-col gap-6"
    >
      <AccessFields
        value={{ access, isListed }}
        onChange={(choice) =>
          form.change(isNew ? withPreset({ access, isListed }, choice) : choice)
        }
      />
      {takesSlug({ access, isListed }) ? (
        <SlugField
          value={slug}
          error={form.problemOf('slug')}
          onChange={(next) => form.change({ slug: next })}
        />
      ) : (
        isSecret && <SecretAddress slug={island.slug} />
      )}
      <FormError>{form.failure}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={form.isBusy}>
          {isNew
            ? form.isBusy
              ? 'Publishing…'
              : 'Publish island'
            : form.isBusy
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
