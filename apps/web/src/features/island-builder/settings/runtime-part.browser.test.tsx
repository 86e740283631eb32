import {
  changeIslandRuntime,
  getIslandRuntime,
  type IslandRuntime,
} from '@astropelago/contract/island-data'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi } from '../../../test/answer-api.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { RuntimePart } from './runtime-part.tsx'

const values = { keys: 1200, bytes: 3_500_000 }
const off = { isConfigured: true, dailyTokens: 0, usedToday: 0 }
const model = page.getByRole('region', { name: 'Language model' })

async function openRuntime(llm: IslandRuntime['llm']) {
  answerApi(getIslandRuntime, { status: 200, body: { llm, values } })
  await openPart(<RuntimePart island={{ id: 'one' }} />, { user: sampleUser })
  await expect.element(page.getByText('1,200 of 10,000 keys, 3.5 MB of 21 MB')).toBeVisible()
}

test('the language model is off until the host sets what visitors may use in a day', async () => {
  const on = { isConfigured: true, dailyTokens: 50_000, usedToday: 12 }
  const changed = answerApi(changeIslandRuntime, { status: 200, body: { llm: on, values } })
  await openRuntime(off)
  await expect.element(model).toMatchTextContent('It is off.')
  const field = model.getByRole('textbox', { name: 'Tokens a day' })
  await expect.element(field).toHaveAccessibleDescription(/One visitor may use at most 10% of it/)
  await expectAccessible()
  await field.fill('a lot')
  await model.getByRole('button', { name: 'Save' }).click()
  await expect.element(field).toHaveAccessibleDescription(/A whole number from 0 to 10,000,000\./)
  await field.fill('50000')
  await model.getByRole('button', { name: 'Save' }).click()
  await expect.element(model).toMatchTextContent('Used today: 12 of 50,000 tokens')
  expect(changed.map(({ body }) => body)).toEqual([{ llmDailyTokens: 50_000 }])
})

test('a server without a language model says so', async () => {
  await openRuntime({ ...off, isConfigured: false })
  await expect.element(model).toMatchTextContent('No language model is connected to this server.')
  await expect.element(model.getByRole('textbox')).not.toBeInTheDocument()
})
