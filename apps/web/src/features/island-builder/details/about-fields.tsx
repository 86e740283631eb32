import { t } from '@lingui/core/macro'
import { kindWords } from '../../../islands/island-words.ts'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import type { IslandForm } from './island-draft.ts'

const kinds = [
  { value: 'social', ...kindWords.social },
  { value: 'media', ...kindWords.media },
  { value: 'lab', ...kindWords.lab },
] as const

export function AboutFields({ form }: { form: IslandForm }) {
  return (
    <>
      <TextField
        label={t`Name`}
        hint={t`The name that visitors see, such as Harbor Books.`}
        autoComplete="off"
        {...form.text('name')}
        // An address that follows the name changes with it, so a refusal of the last one is over.
        onChange={(name) => form.change({ name, ...(form.values.slug === null && { slug: null }) })}
      />
      <RadioCards
        legend={t`Kind`}
        options={kinds}
        columns="gap-3 sm:grid-cols-3"
        value={form.values.kind}
        error={form.problemOf('kind')}
        onChange={(kind) => form.change({ kind })}
      />
      <TextField
        label={t`Tagline`}
        optional
        hint={t`One line that says why people should visit.`}
        autoComplete="off"
        {...form.text('tagline')}
      />
      <TextAreaField
        label={t`About`}
        optional
        hint={t`Plain text. Line breaks are kept, and links can be clicked.`}
        autoComplete="off"
        rows={4}
        {...form.text('about')}
      />
      <TextAreaField
        label={t`Rules`}
        optional
        hint={t`What you ask of visitors. People who join accept them. The page of your island shows when you last changed them.`}
        autoComplete="off"
        rows={4}
        {...form.text('rules')}
      />
    </>
  )
}
