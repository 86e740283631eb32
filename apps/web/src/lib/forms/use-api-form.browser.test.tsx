import * as v from 'valibot'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { cleanup } from 'vitest-browser-react/pure'
import { page, userEvent } from 'vitest/browser'
import { openPart } from '../../test/open-screen.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ApiError } from '../api-error.ts'
import { keptDraft } from '../kept-drafts.ts'
import { readBy } from './reading.ts'
import { useApiForm } from './use-api-form.ts'

const Body = v.object({
  name: v.pipe(v.string(), v.nonEmpty('Enter a name.'), v.maxLength(5, 'A name is short.')),
  town: v.pipe(v.string(), v.nonEmpty('Enter a town.')),
})
const draft = keptDraft('sample', v.object({ name: v.string(), town: v.string() }))

const name = page.getByLabelText('Name')
const town = page.getByLabelText('Town')
const button = page.getByRole('button', { name: 'Send' })
const alerts = page.getByRole('alert')

function refusal(code: string, fields = {}): ApiError {
  return new ApiError({ status: 400, code, sentence: `It is ${code}.`, fields, error: code })
}

type Send = (body: v.InferOutput<typeof Body>) => Promise<void>

function Sample({ send }: { send: Send }) {
  const [known, setKnown] = useState('')
  const form = useApiForm({
    values: { name: known, town: known },
    draft,
    read: (typed) => readBy(Body, typed),
    send,
    fieldOf: { name_taken: 'name' },
  })
  return (
    <form {...form.wiring}>
      <TextField label="Name" {...form.text('name')} />
      <TextField label="Town" {...form.text('town')} />
      <FormError>{form.failure}</FormError>
      <Button type="submit" busy={form.isBusy}>
        Send
      </Button>
      <Button onClick={() => setKnown('Graz')}>Refetch</Button>
    </form>
  )
}

async function openSample(send: Send = async () => undefined) {
  const sent = vi.fn<Send>(send)
  await openPart(<Sample send={sent} />)
  return sent
}

test('all wrong fields say so at once, and the first of them gets the focus', async () => {
  const sent = await openSample()
  await button.click()
  await expect.element(name).toHaveAccessibleDescription('Enter a name.')
  await expect.element(town).toHaveAccessibleDescription('Enter a town.')
  await expect.element(name).toHaveFocus()
  await name.fill('Ada')
  await expect.element(name).not.toHaveAttribute('aria-invalid')
  await expect.element(town).toHaveAttribute('aria-invalid', 'true')
  expect(sent).not.toHaveBeenCalled()
})

test('a text that would be refused has a note once its field is left, until it is mended', async () => {
  await openSample()
  await name.fill('Adalbert')
  await expect.element(name).not.toHaveAccessibleDescription('A name is short.')
  await userEvent.tab()
  await expect.element(name).toHaveAccessibleDescription('A name is short.')
  await expect.element(name).not.toHaveAttribute('aria-invalid')
  await expect.element(town).not.toHaveAccessibleDescription('Enter a town.')
  await name.fill('Ada')
  await expect.element(name).not.toHaveAccessibleDescription('A name is short.')
})

test('it is sent once, however often it is submitted, and is then empty', async () => {
  const answer = Promise.withResolvers<void>()
  const sent = await openSample(() => answer.promise)
  await name.fill('Ada')
  await town.fill('Wien')
  const form = document.querySelector('form')
  form?.requestSubmit()
  form?.requestSubmit()
  await expect.element(button).toHaveAttribute('aria-busy', 'true')
  await userEvent.keyboard('{Enter}')
  answer.resolve()
  await expect.element(name).toHaveValue('')
  expect(sent.mock.calls.map(([body]) => body)).toEqual([{ name: 'Ada', town: 'Wien' }])
})

test.each([
  ['of a field', refusal('invalid_input', { town: 'No such town.' }), ['No such town.'], town],
  ['with a sentence', refusal('full', { town: 'No.' }), ['No.', 'It is full.'], town],
  ['by its code', refusal('name_taken'), ['It is name_taken.'], name],
] as const)('a refusal %s is shown there, and all input stays', async (_, error, texts, field) => {
  await openSample(() => Promise.reject(error))
  await name.fill('Ada')
  await town.fill('Wien')
  await button.click()
  await expect.element(field).toHaveFocus()
  expect(alerts.elements().map(({ textContent }) => textContent)).toEqual(texts)
  await expect.element(name).toHaveValue('Ada')
  await expect.element(town).toHaveValue('Wien')
})

test('a refusal of no field of the form is shown as one of the form', async () => {
  await openSample(() => Promise.reject(refusal('invalid_input', { other: 'Hidden.' })))
  await name.fill('Ada')
  await town.fill('Wien')
  await button.click()
  await expect.element(alerts).toHaveTextContent('It is invalid_input.')
})

test('a draft outlives the form until it is sent', async () => {
  await openSample()
  await name.fill('Ada')
  await cleanup()
  await openSample()
  await expect.element(name).toHaveValue('Ada')
  await town.fill('Wien')
  await button.click()
  await expect.element(name).toHaveValue('')
  expect(draft.read()).toBeUndefined()
})

test('new values from the server appear where nothing is edited', async () => {
  await openSample()
  await name.fill('Ada')
  await page.getByRole('button', { name: 'Refetch' }).click()
  await expect.element(town).toHaveValue('Graz')
  await expect.element(name).toHaveValue('Ada')
})

test('what is typed while the form is being sent stays, and the rest is empty again', async () => {
  const answer = Promise.withResolvers<void>()
  await openSample(() => answer.promise)
  await name.fill('Ada')
  await town.fill('Wien')
  await button.click()
  await expect.element(button).toHaveAttribute('aria-busy', 'true')
  await name.fill('Bo')
  answer.resolve()
  await expect.element(town).toHaveValue('')
  await expect.element(name).toHaveValue('Bo')
})

test('a refusal goes when its field is changed', async () => {
  await openSample(() => Promise.reject(refusal('name_taken')))
  await name.fill('Ada')
  await town.fill('Wien')
  await button.click()
  await expect.element(alerts).toHaveTextContent('It is name_taken.')
  await town.fill('Graz')
  await expect.element(alerts).toHaveTextContent('It is name_taken.')
  await name.fill('Bo')
  await expect.element(alerts).not.toBeInTheDocument()
})

test('a note waits until a press of the mouse is over, so that its target stays in place', async () => {
  await openSample()
  await name.fill('Adalbert')
  button.element().dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
  town.element().focus()
  await expect.element(town).toHaveFocus()
  await expect.element(name).not.toHaveAccessibleDescription('A name is short.')
  window.dispatchEvent(new MouseEvent('mouseup'))
  await expect.element(name).toHaveAccessibleDescription('A name is short.')
})
