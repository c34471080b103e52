import { describe, expect, it } from 'vitest'
import { matches, parseFilter } from './filter.ts'
import { applyPatch } from './patch.ts'
import { project } from './project.ts'
import { readResource } from './read-resource.ts'
import { groupSchema, userSchema } from './schema.ts'
import { ScimError } from './scim-error.ts'

const mira = {
  id: 'u-1',
  userName: 'Mira@Acme.example',
  name: { givenName: 'Mira', familyName: 'O"Neil' },
  active: true,
  emails: [
    { value: 'mira@acme.example', type: 'work', primary: true },
    { value: 'mira@home.example', type: 'home' },
  ],
  externalId: 'AbC',
}

describe('a filter', () => {
  it.each([
    ['userName eq "mira@acme.example"', true],
    ['USERNAME Eq "MIRA@ACME.EXAMPLE"', true],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "mira@acme.example"', true],
    ['externalId eq "abc"', false],
    ['externalId eq "AbC"', true],
    ['name.familyName eq "O\\"Neil"', true],
    ['emails eq "mira@home.example"', true],
    ['emails.value sw "mira@" and not (active eq false)', true],
    ['emails[type eq "work" and value co "acme"]', true],
    ['emails[type eq "home" and value co "acme"]', false],
    ['active eq True', true],
    ['active eq "true"', true],
    ['active ne true', false],
    ['title pr', false],
    ['title ne "x"', true],
    ['name.givenName pr', true],
    ['id eq "u-1"', true],
    ['userName eq "x" or (userName ew ".example" and active eq true)', true],
    ['userName eq "a" and userName eq "b" or active eq true', true],
    ['userName gt "m" and userName lt "n"', true],
  ])('%s: %s', (text, expected) => {
    expect(matches(parseFilter(text), mira, userSchema)).toBe(expected)
  })

  it.each([
    'userName',
    'userName eq',
    'userName is "x"',
    'userName eq x',
    'userName eq "x',
    '(userName eq "x"',
    'userName eq "x" foo',
    'emails[type eq "work"',
    '',
    `${'not ('.repeat(40)}active eq true${')'.repeat(40)}`,
    'a'.repeat(5000),
  ])('that cannot be read is refused: %s', (text) => {
    expect(() => parseFilter(text)).toThrow(ScimError)
  })
})

describe('a patch', () => {
  const patch = (...Operations: object[]) => applyPatch(userSchema, mira, { Operations })

  it.each([
    ['Okta deactivates', { op: 'replace', value: { active: false } }, { active: false }],
    ['Entra ID deactivates', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    [
      'Entra ID renames without a path',
      { op: 'Add', value: { 'name.givenName': 'Mi' } },
      { name: { givenName: 'Mi', familyName: 'O"Neil' } },
    ],
    ['a part is replaced', { op: 'replace', path: 'name', value: { givenName: 'M' } }, { name: { givenName: 'M', familyName: 'O"Neil' } }],
    ['a name in another case is the same', { op: 'replace', path: 'DISPLAYNAME', value: 'M' }, { displayName: 'M' }],
    ['the schema’s name may stand before it', { op: 'replace', path: `${userSchema.id}:displayName`, value: 'M' }, { displayName: 'M' }],
    ['attributes that are not kept are accepted', { op: 'add', path: 'title', value: 'CTO' }, {}],
    ['those of companies too', { op: 'add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager', value: 'u-2' }, {}],
  ])('%s', (_, operation, expected) => {
    expect(patch(operation)).toMatchObject(expected)
  })

  it.each([
    { op: 'remove', path: 'externalId' },
    { op: 'replace', path: 'externalId', value: null },
  ])('removes by %j', (operation) => {
    expect(patch(operation)).not.toHaveProperty('externalId')
  })

  it('changes one of several values, and makes the one that Entra ID describes', () => {
    expect(patch({ op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@acme.example' })['emails']).toEqual([
      { value: 'new@acme.example', type: 'work', primary: true },
      { value: 'mira@home.example', type: 'home' },
    ])
    expect(
      applyPatch(userSchema, { userName: 'x' }, { Operations: [{ op: 'Add', path: 'emails[type eq "work"].value', value: 'a@b.c' }] }),
    ).toEqual({ userName: 'x', emails: [{ type: 'work', value: 'a@b.c' }] })
    expect(patch({ op: 'remove', path: 'emails[type eq "work"]' })['emails']).toEqual([{ value: 'mira@home.example', type: 'home' }])
    expect(patch({ op: 'add', path: 'emails', value: [{ value: 'x@y.z', primary: true }] })['emails']).toEqual([
      { value: 'mira@acme.example', type: 'work', primary: false },
      { value: 'mira@home.example', type: 'home' },
      { value: 'x@y.z', primary: true },
    ])
  })

  it('adds and removes members of a group in every form', () => {
    const group = { displayName: 'G', members: [{ value: 'a' }, { value: 'b' }] }
    const membersAfter = (operation: object) => applyPatch(groupSchema, group, { Operations: [operation] })['members']

    expect(membersAfter({ op: 'Add', path: 'members', value: [{ value: 'c' }, { value: 'a' }] })).toEqual([
      { value: 'a' },
      { value: 'b' },
      { value: 'c' },
    ])
    expect(membersAfter({ op: 'remove', path: 'members[value eq "a"]' })).toEqual([{ value: 'b' }])
    expect(membersAfter({ op: 'Remove', path: 'members', value: [{ value: 'a' }] })).toEqual([{ value: 'b' }])
    expect(membersAfter({ op: 'Remove', path: 'members' })).toBeUndefined()
    expect(membersAfter({ op: 'replace', path: 'members', value: [{ value: 'z' }] })).toEqual([{ value: 'z' }])
    expect(
      applyPatch(groupSchema, group, { Operations: [{ op: 'replace', value: { id: 'ignored', displayName: 'H' } }] })['displayName'],
    ).toBe('H')
  })

  it.each([
    ['invalidPath', { op: 'replace', path: 'shoeSize', value: 44 }],
    ['invalidPath', { op: 'replace', path: 'name.middle', value: 'x' }],
    ['invalidFilter', { op: 'replace', path: 'emails[type is "work"].value', value: 'x' }],
    ['mutability', { op: 'replace', path: 'id', value: 'x' }],
    ['mutability', { op: 'add', path: 'groups', value: [{ value: 'g' }] }],
    ['noTarget', { op: 'remove' }],
    ['noTarget', { op: 'replace', path: 'emails[value co "absent"].type', value: 'x' }],
    ['invalidSyntax', { op: 'move', path: 'active' }],
    ['invalidValue', { op: 'replace', path: 'active', value: 'perhaps' }],
    ['invalidValue', { op: 'remove', path: 'userName' }],
    ['invalidValue', { op: 'replace', value: 'x' }],
  ])('is refused as %s: %j', (scimType, operation) => {
    expect(() => patch(operation)).toThrow(expect.objectContaining({ scimType }))
  })
})

describe('a resource', () => {
  it('keeps what the schema has, under the announced names', () => {
    expect(
      readResource(userSchema, {
        schemas: [userSchema.id],
        USERNAME: 'x',
        active: 'True',
        id: 'mine',
        title: 'CTO',
        displayName: '',
        emails: [
          { value: 'a@b.c', primary: 'true' },
          { value: 'd@e.f', primary: true },
        ],
        groups: [{ value: 'admins' }],
      }),
    ).toEqual({
      userName: 'x',
      active: true,
      emails: [
        { value: 'a@b.c', primary: false },
        { value: 'd@e.f', primary: true },
      ],
    })
    expect(() => readResource(userSchema, { active: true })).toThrow('userName is required')
  })

  it('shows the attributes that are asked for', () => {
    const shown = (attributes: string[], excluded: string[] = []) =>
      project(userSchema, { schemas: ['s'], ...mira }, { attributes, excluded })
    expect(shown(['userName', 'emails.value'])).toEqual({
      schemas: ['s'],
      id: 'u-1',
      userName: 'Mira@Acme.example',
      emails: [{ value: 'mira@acme.example' }, { value: 'mira@home.example' }],
    })
    expect(Object.keys(shown([], ['emails', 'name', 'id']))).toEqual(['schemas', 'id', 'userName', 'active', 'externalId'])
  })
})
