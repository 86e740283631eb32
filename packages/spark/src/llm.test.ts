import { expect, test } from 'vitest'
import { llm } from './llm.ts'
import { llmPrompt } from './llm-prompt.ts'
import { fullModelName } from './model-names.ts'
import { answeringServer } from './testing/answering-server.ts'

const completion = { body: '{"choices":[{"message":{"content":"Ahoy"}}]}' }

test('a prompt is sent with the platform’s settings, and the first choice is the answer', async () => {
  const received = await answeringServer(() => completion)
  expect(await llm('Greet me')).toBe('Ahoy')
  expect(received).toMatchObject([{ method: 'POST', url: '/_spark/llm' }])
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    messages: [
      { role: 'system', content: 'You are a helpful assistant.' },
      { role: 'user', content: 'Greet me' },
    ],
    temperature: 1,
    top_p: 1,
    max_tokens: 1000,
    model: 'openai/gpt-4o',
    response_format: { type: 'text' },
  })
})

test('a JSON answer and another model can be requested', async () => {
  const received = await answeringServer(() => completion)
  await llm('Greet me', 'gpt-4o-mini', true)
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
    model: 'openai/gpt-4o-mini',
    response_format: { type: 'json_object' },
  })
})

test('a failure contains the status, its text and the body', async () => {
  const answer = { status: 502, statusText: 'Bad Gateway', body: '{"code":"llm_failed"}' }
  await answeringServer(() => answer)
  await expect(llm('Greet me')).rejects.toThrow(
    new Error('LLM request failed: 502 Bad Gateway - {"code":"llm_failed"}'),
  )
})

test.each(['{}', '{"choices":[]}', '{"choices":[{"message":{"content":null}}]}', 'null'])(
  'an answer without content, %s, is empty',
  async (body) => {
    await answeringServer(() => ({ body }))
    expect(await llm('Greet me')).toBe('')
  },
)

test.each([
  ['gpt-4o', 'openai/gpt-4o'],
  ['gpt-4o-mini', 'openai/gpt-4o-mini'],
  ['cohere-command-r-plus', 'cohere/cohere-command-r-plus'],
  ['meta-llama-3-8b-instruct', 'meta/meta-llama-3-8b-instruct'],
  ['Meta-Llama-3.1-405B-Instruct', 'meta/Meta-Llama-3.1-405B-Instruct'],
  ['mistral-large', 'mistral-ai/mistral-large'],
  ['mistral-nemo', 'mistral-ai/mistral-nemo'],
  ['ai21-jamba-1.5-mini', 'ai21-labs/ai21-jamba-1.5-mini'],
  ['phi-3-medium-128k-instruct', 'microsoft/phi-3-medium-128k-instruct'],
  ['openai/gpt-4o', 'openai/gpt-4o'],
  ['llama3.2', 'llama3.2'],
  ['gpt-4o-audio', 'gpt-4o-audio'],
])('the model %s is requested as %s', (name, full) => {
  expect(fullModelName(name)).toBe(full)
})

test('a template’s text is joined, with missing values empty', () => {
  expect(llmPrompt`Sum up ${'this'}: ${0}, ${false}, ${null}${undefined}.`).toBe(
    'Sum up this: 0, false, .',
  )
  expect(llmPrompt`${{ a: [1] }}`).toBe('{"a":[1]}')
})
