import { languages } from '@astropelago/contract/languages'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type SyntheticEvent, useState } from 'react'
import { chooseLanguage, chosenLanguage, languageNames } from '../../language/chosen-language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { SelectField } from '../../ui/select.tsx'

const options = languages.map((language) => ({ value: language, name: languageNames[language] }))

export function LanguageCard() {
  const [chosen, setChosen] = useState(() => chosenLanguage() ?? '')
  // Only the button loads the page again, because arrow keys go through the options one by one.
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    chooseLanguage(languages.find((language) => language === chosen))
  }
  return (
    <Card title={t`Language`} description={t`The language of all pages in this browser.`}>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
        <SelectField
          label={t`Language of the pages`}
          value={chosen}
          options={[{ value: '', name: t`As the browser prefers` }, ...options]}
          onChange={setChosen}
          className="min-w-60 flex-1 sm:max-w-sm"
        />
        <Button type="submit" variant="outline">
          <Trans>Change language</Trans>
        </Button>
      </form>
    </Card>
  )
}
