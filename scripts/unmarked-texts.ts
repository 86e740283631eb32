import type { CallExpression, NewExpression, Node } from '@oxc-project/types'
import { parseSync } from 'oxc-parser'

/** Attributes whose texts people read or hear. */
const readAttribute =
  /^(?:title|label|alt|placeholder|hint|description|aria-(?:label|description|valuetext))$/
/** Calls whose arguments nobody reads, or only developers. */
const unread = /Error$|^(?:querySelector(?:All)?|classNames|cva)$/
/** The same in every language. */
const names = new Set(['API', 'HTML', 'Markdown', 'Natural Earth · MapLibre', 'Samsung Internet'])

/** The texts in a file of the web app that people read, but that are not marked for translation. */
export function unmarkedTexts(filename: string, source: string): string[] {
  const found: string[] = []
  visit(parseSync(filename, source).program, { isMarked: false })
  return found

  interface Context {
    /** Within a macro, or where nobody reads. */
    readonly isMarked: boolean
    readonly isRead?: boolean
  }

  function visit(node: unknown, context: Context): void {
    if (Array.isArray(node)) {
      for (const each of node) visit(each, context)
      return
    }
    if (!isNode(node)) return
    switch (node.type) {
      case 'JSXText':
        if (!context.isMarked && /\p{L}{2}/u.test(node.value)) note(node.value)
        return
      case 'Literal':
        if (typeof node.value === 'string') check(node.value, context)
        return
      case 'TemplateLiteral':
        check(node.quasis.map(({ value }) => value.cooked ?? '').join('x'), context)
        visit(node.expressions, context)
        return
      case 'TaggedTemplateExpression':
        visit(node.quasi.expressions, context)
        return
      case 'Property':
        visit(node.value, context)
        return
      case 'JSXElement': {
        const name = node.openingElement.name
        const isMacro = name.type === 'JSXIdentifier' && /^(?:Trans|Plural|Select)$/.test(name.name)
        visit(node.openingElement.attributes, { isMarked: isMacro })
        visit(node.children, { isMarked: isMacro || context.isMarked })
        return
      }
      case 'JSXAttribute': {
        const name = node.name.type === 'JSXIdentifier' ? node.name.name : ''
        if (name !== 'className')
          visit(node.value, { ...context, isRead: readAttribute.test(name) })
        return
      }
      case 'CallExpression':
      case 'NewExpression': {
        const name = calleeName(node)
        visit(node.callee, context)
        const isMarked = unread.test(name) || /^(?:plural|select|selectOrdinal|msg|t)$/.test(name)
        visit(node.arguments, { isMarked })
        return
      }
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        visit(node.body, { isMarked: false })
        return
      case 'BinaryExpression':
      case 'ImportDeclaration':
      case 'ImportExpression':
      case 'ExportAllDeclaration':
      case 'TSTypeAliasDeclaration':
      case 'TSInterfaceDeclaration':
      case 'TSTypeAnnotation':
      case 'TSLiteralType':
      case 'TSTypeParameterInstantiation':
        return
      default:
        for (const value of Object.values(node)) visit(value, context)
    }
  }

  function check(text: string, { isMarked, isRead = false }: Context) {
    const isSentence =
      /^[\p{Lu}“][\p{L}’]+[ ,][^=]*\p{L}{2}/u.test(text) || /^\p{L}.* .*[.?…]$/u.test(text)
    if (!isMarked && (isSentence || (isRead && /\p{L}{2}/u.test(text)))) note(text)
  }

  function note(text: string) {
    if (!names.has(text.trim())) found.push(text.trim().replaceAll(/\s+/g, ' '))
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

function calleeName({ callee }: CallExpression | NewExpression): string {
  if (callee.type === 'Identifier') return callee.name
  if (callee.type !== 'MemberExpression') return ''
  return callee.property.type === 'Identifier' && !callee.computed ? callee.property.name : ''
}
