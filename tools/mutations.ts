import { parseSync } from 'oxc-parser'

/** A change of a source file that its tests should notice. Offsets are in UTF-16 units. */
export interface Mutation {
  start: number
  end: number
  text: string
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+=': '-=',
  '-=': '+=',
}
const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
}
/** Nodes without a value at run time, or that only tell people something. */
const SKIPPED =
  /^(TSTypeAliasDeclaration|TSInterfaceDeclaration|ImportDeclaration|TSTypeAnnotation|TSTypeParameter.*)$/

const children = (node: Node): Node[] =>
  Object.entries(node).flatMap(([key, value]) =>
    key === 'parent' ? [] : Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  )

/** The operator between two parts of an expression, which no comment of ours holds. */
function swapOperator(source: string, node: Node): Mutation[] {
  const { left, right, operator } = node as Node & { left: Node; right: Node; operator: string }
  const text = OPERATORS[operator]
  const start = source.indexOf(operator, left.end)
  return text === undefined || start < 0 || start >= right.start
    ? []
    : [{ start, end: start + operator.length, text }]
}

/** A test that always holds, and one that never does. */
const fixTest = (test: unknown): Mutation[] =>
  isNode(test) ? ['true', 'false'].map(text => ({ start: test.start, end: test.end, text })) : []

const isCall = (node: unknown): boolean =>
  isNode(node) &&
  (node.type === 'CallExpression' || (node.type === 'AwaitExpression' && isCall(node['argument'])))

function mutationsAt(source: string, node: Node): Mutation[] {
  const { start, end } = node
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return swapOperator(source, node)
    case 'IfStatement':
    case 'ConditionalExpression':
      return fixTest(node['test'])
    case 'UnaryExpression':
      return node['operator'] === '!' ? [{ start, end: start + 1, text: '' }] : []
    case 'Literal':
      if (typeof node['value'] === 'boolean') return [{ start, end, text: String(!node['value']) }]
      return typeof node['value'] === 'number' ? [{ start, end, text: `(${String(node['value'])} + 1)` }] : []
    case 'MemberExpression': {
      const property = node['property']
      const text = isNode(property) ? METHODS[String(property['name'])] : undefined
      return isNode(property) && text !== undefined
        ? [{ start: property.start, end: property.end, text }]
        : []
    }
    case 'ExpressionStatement':
      return isCall(node['expression']) ? [{ start, end, text: '' }] : []
    case 'ThrowStatement':
      return [{ start, end, text: ';' }]
    default:
      return []
  }
}

/** Every mutation of a file, in the order of their places: of operators, tests, numbers, calls for their effect, and refusals. */
export function findMutations(file: string, source: string): Mutation[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const walk = (node: Node): Mutation[] =>
    SKIPPED.test(node.type) ? [] : [...mutationsAt(source, node), ...children(node).flatMap(walk)]
  return walk(program as unknown as Node).toSorted((one, other) => one.start - other.start)
}

export const mutate = (source: string, { start, end, text }: Mutation): string =>
  source.slice(0, start) + text + source.slice(end)
