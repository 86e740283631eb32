import type { LlmRequest } from '@astropelago/contract/spark'
import { fullModelName } from './model-names.ts'

/**
 * Sends a prompt to the server's language model, and resolves with its answer.
 * @param model a short name such as `gpt-4o-mini`, or one with its vendor
 * @param isJson whether the answer has to be a JSON object
 */
export async function llm(prompt: string, model = 'gpt-4o', isJson = false): Promise<string> {
  const response = await fetch('/_spark/llm', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(llmRequest(prompt, model, isJson)),
  })
  const body = await response.text()
  if (!response.ok) {
    throw new Error(`LLM request failed: ${response.status} ${response.statusText} - ${body}`)
  }
  return firstContent(JSON.parse(body))
}

export function llmRequest(prompt: string, model: string, isJson: boolean): LlmRequest {
  return {
    messages: [
      { role: 'system', content: 'You are a helpful assistant.' },
      { role: 'user', content: prompt },
    ],
    temperature: 1,
    top_p: 1,
    max_tokens: 1000,
    model: fullModelName(model),
    response_format: { type: isJson ? 'json_object' : 'text' },
  }
}

/** The text of a chat completion. Empty if there is none. */
export function firstContent(answer: unknown): string {
  const [choice] = arrayOf(fieldOf(answer, 'choices'))
  const content = fieldOf(fieldOf(choice, 'message'), 'content')
  return typeof content === 'string' ? content : ''
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
