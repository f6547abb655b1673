// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code to mutate has templates
import { describe, expect, it } from 'vitest'
import { EQUIVALENT } from './mutants/equivalent.ts'
import { allMutants, mutantsOf, switched } from './mutants/mutants.ts'

const all = allMutants()
const found = (text: string) => mutantsOf('db/x.ts', text).map(({ key }) => key.slice('db/x.ts top: '.length))

describe('the mutants', () => {
  it('number more than 170 and have unique keys', () => {
    expect(all.length).toBeGreaterThan(170)
    expect(new Set(all.map(({ key }) => key)).size).toBe(all.length)
  })

  it('include all those listed as equivalent', () => {
    const keys = all.map(({ key }) => key)
    expect([...EQUIVALENT.keys()].filter((key) => !keys.includes(key))).toEqual([])
  })

  it.each([
    ["db.selectFrom('a').where('tenant_id', '=', x)", "'tenant_id', '=', x"],
    ["join.onRef('a.tenant_id', '=', 'b.tenant_id')", "'a.tenant_id', '=', 'b.tenant_id'"],
    ["db.selectFrom('tenants').where('id', '=', tenantId)", "'id', '=', tenantId"],
    ['sql`select from a where a.tenant_id = ${x} and id = ${y}`', 'a.tenant_id = ${x}'],
    ['sql`select from a join b on b.tenant_id = a.tenant_id`', 'b.tenant_id = a.tenant_id'],
    ['sql`select from tenants t join a on t.id = a.tenant_id`', 't.id = a.tenant_id'],
    ['one.tenant.id === claims.tid', 'one.tenant.id === claims.tid'],
    ['requirePermission(role, permission)', 'requirePermission(role, permission)'],
    ['rows.$if(own !== undefined, only)', 'own !== undefined'],
    ["route({ config: { permission: 'plan' } })", "'plan'"],
  ])('are found in: %s', (text, what) => {
    expect(found(text)).toEqual([what])
  })

  it.each([
    "db.selectFrom('a').select(['tenant_id'])",
    'sql`insert into a (tenant_id, id) values (${x}, ${y})`',
    "db.selectFrom('a').where('id', '=', tenantId)",
    "route({ config: { permission: 'look' } })",
  ])('are not found in: %s', (text) => {
    expect(found(text)).toEqual([])
  })

  it.each([
    "eb('tenant_id', '=', x)",
    'eb.and({ tenant_id: x })',
    "db.selectFrom('a').innerJoin('b', 'b.tenant_id', 'a.tenant_id')",
    'sql`select from a where tenant_id in (${x})`',
    'sql`select from a join b using (tenant_id)`',
    'sql`select from a where ${x} = a.tenant_id`',
  ])('cannot be created from an unknown kind of condition: %s', (text) => {
    expect(() => found(text)).toThrow('is not known')
  })

  it('are compiled into the source and inactive by default', () => {
    const text = 'const x = (one: { tenant: { id: string } }) => one.tenant.id === tid'
    const mutants = mutantsOf('db/x.ts', text)
    expect(switched(text, mutants)).toBe(
      'const x = (one: { tenant: { id: string } }) => (globalThis.isMutated?.("db/x.ts x: one.tenant.id === tid") || one.tenant.id === tid)',
    )
  })
})
