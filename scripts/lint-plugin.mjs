// Rules that oxlint does not have. Each has a planted violation in tests/tooling.

const CJK = /[⺀-鿿가-힯豈-﫿︰-﹏＀-￯]/
const MAX_FUNCTION_LINES = 80
/** How many lines below a comment an assertion may stand. */
const REASON_REACH = 12

const rule = (description, create) => ({ meta: { type: 'problem', docs: { description }, schema: [] }, create })

/** Texts that users see are in web/console/src/i18n, never in a component. */
const noCjkInTsx = rule('no CJK text in .tsx', (context) => {
  if (!context.filename.endsWith('.tsx')) return {}
  const check = (node, text) => {
    if (CJK.test(text)) {
      context.report({ node, message: 'CJK text in a component. Fix: move it to src/i18n/zh and en, and read it through t().' })
    }
  }
  return {
    Literal: (node) => typeof node.value === 'string' && check(node, node.value),
    TemplateElement: (node) => check(node, node.value.raw),
    JSXText: (node) => check(node, node.value),
  }
})

/** Scripts have their wrappers and their tests in libs/redis and libs/ledger. */
const noRedisEval = rule('Lua runs only in libs/redis and libs/ledger', (context) => ({
  CallExpression(node) {
    const { callee } = node
    if (callee.type !== 'MemberExpression' || callee.computed) return
    if (['eval', 'evalsha', 'evalSha', 'eval_ro', 'evalsha_ro', 'fcall', 'defineCommand'].includes(callee.property.name)) {
      context.report({ node, message: 'Lua is called outside libs/redis and libs/ledger. Fix: add a typed wrapper there and call that.' })
    }
  },
}))

/** The built-in rule warns at 60 lines; this one fails at 80. */
const maxFunctionLines = rule('a function has at most 80 lines', (context) => {
  const check = (node) => {
    const lines = node.loc.end.line - node.loc.start.line + 1
    if (lines > MAX_FUNCTION_LINES) {
      context.report({ node, message: `Function of ${lines} lines (limit: ${MAX_FUNCTION_LINES}). Fix: extract its steps into functions.` })
    }
  }
  return { FunctionDeclaration: check, FunctionExpression: check, ArrowFunctionExpression: check }
})

/** Pure packages take the time as an argument. `new Date(value)` is arithmetic and allowed. */
const noClock = rule('pure packages do not read the clock', (context) => {
  const report = (node) => context.report({ node, message: 'A pure package reads the clock. Fix: take the time as an argument.' })
  return {
    NewExpression: (node) => node.callee.name === 'Date' && node.arguments.length === 0 && report(node),
    MemberExpression: (node) => node.object.name === 'performance' && !node.computed && node.property.name === 'now' && report(node),
  }
})

/** V8 makes a hidden class in the old generation for each such object, and what its getter reaches stays until a full collection. */
const noObjectGetter = rule('no getter in an object literal on the hot path', (context) => ({
  Property: (node) =>
    node.kind === 'get' &&
    context.report({ node, message: 'A getter in an object literal keeps what it reaches alive after the request. Fix: write a class.' }),
}))

/** `as` is for `as const`, and for values whose type a comment proves. */
const assertionNeedsReason = rule('`as` needs a comment', (context) => {
  const commented = new Set()
  for (const comment of context.sourceCode.getAllComments()) {
    for (let line = comment.loc.start.line; line <= comment.loc.end.line; line += 1) commented.add(line)
  }
  return {
    TSAsExpression(node) {
      if (node.typeAnnotation.type === 'TSTypeReference' && node.typeAnnotation.typeName.name === 'const') return
      if (node.parent.type === 'TSAsExpression') return
      for (let line = node.loc.start.line - REASON_REACH; line <= node.loc.end.line; line += 1) if (commented.has(line)) return
      context.report({ node, message: '`as` without a reason. Fix: parse or narrow, or say in a comment above what proves the type.' })
    },
  }
})

const todoNeedsIssue = rule('a TODO names an issue', (context) => {
  for (const comment of context.sourceCode.getAllComments()) {
    if (/^[\s*]*(?:TODO|FIXME|XXX|HACK)\b(?!\(#\d+\))/m.test(comment.value)) {
      context.report({ loc: comment.loc, message: 'A TODO without an issue. Fix: write TODO(#123), or do it now.' })
    }
  }
  return {}
})

export default {
  meta: { name: 'tollgate' },
  rules: {
    'no-cjk-in-tsx': noCjkInTsx,
    'no-redis-eval': noRedisEval,
    'max-function-lines': maxFunctionLines,
    'no-clock': noClock,
    'no-object-getter': noObjectGetter,
    'assertion-needs-reason': assertionNeedsReason,
    'todo-needs-issue': todoNeedsIssue,
  },
}
