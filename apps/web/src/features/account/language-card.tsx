import { languages } from '@astropelago/contract/languages'
import { t } from '@lingui/core/macro'
import { chooseLanguage, chosenLanguage, languageNames } from '../../language/chosen-language.ts'
import { Card } from '../../ui/card.tsx'
import { SelectField } from '../../ui/select.tsx'

const options = languages.map((language) => ({ value: language, name: languageNames[language] }))

export function LanguageCard() {
  return (
    <Card title={t`Language`} description={t`The language of all pages in this browser.`}>
      <SelectField
        label={t`Language of the pages`}
        value={chosenLanguage() ?? ''}
        options={[{ value: '', name: t`As the browser prefers` }, ...options]}
        onChange={(value) => chooseLanguage(languages.find((language) => language === value))}
        className="max-w-sm"
      />
    </Card>
  )
}
