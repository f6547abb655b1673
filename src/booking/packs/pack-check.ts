import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { strictAjv } from '../../contract/strict-ajv.ts'
import { PACK_COUNTRIES } from '../../domain/pack-languages.ts'
import { type PackFile, PackSchema } from './pack-schema.ts'

type Dated = { readonly valid_from?: string | null; readonly valid_to?: string | null }

/** Returns the faults of the packs in a folder: the file, the place in it, and the reason. Every file with data must be a pack. */
export function faultsInFolder(folder: string, lessonTypes: readonly string[]): readonly string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [`${folder} is no folder`]
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  if (names.length === 0) return [`${folder} has no pack, such as DE.json`]
  return names.flatMap((name) => {
    const file = join(folder, name)
    const faults = faultsInFile(name, readFileSync(file, 'utf8'), lessonTypes)
    return faults.map((fault) => `${file}: ${fault}`)
  })
}

/** Returns the faults of a pack, such as `/templates/0/min_age must be integer`. */
export function faultsInFile(name: string, text: string, lessonTypes: readonly string[]): readonly string[] {
  const country = name.replace(/\.json$/, '')
  if (!PACK_COUNTRIES.some((one) => one === country))
    return [`the name must be that of a country with texts: ${PACK_COUNTRIES.join(', ')}`]
  let pack: unknown
  try {
    pack = JSON.parse(text)
  } catch (error) {
    return [`is no JSON: ${error instanceof Error ? error.message : error}`]
  }
  const isPack = strictAjv().compile(PackSchema)
  if (isPack(pack)) return faultsIn(pack as PackFile, country, lessonTypes)
  return (isPack.errors ?? []).map(({ instancePath, message, params }) => {
    const unknown = params.additionalProperty
    return unknown ? `${instancePath}/${unknown} is unknown` : `${instancePath || '/'} ${message}`
  })
}

/** Returns the faults that a schema cannot express. */
function faultsIn(pack: PackFile, country: string, lessonTypes: readonly string[]): readonly string[] {
  const known = lessonTypes.filter((code) => !pack.without_lesson_types.includes(code))
  const faults: string[] = []
  const require = (isRight: boolean, fault: string) => {
    if (!isRight) faults.push(fault)
  }
  require(pack.country === country, `/country must be ${country}`)
  const codes = pack.templates.map(({ code }) => code)
  for (const [at, { requirements, ...template }] of pack.templates.entries()) {
    const before = pack.templates.slice(0, at).filter(({ code }) => code === template.code)
    require(isInOrder(template), `/templates/${at}/valid_to must not be before valid_from`)
    require(!before.some((one) => overlap(one, template)), `/templates/${at}/code is valid twice on a day`)
    for (const [index, { lesson_type, includes = [] }] of requirements.entries()) {
      const place = `/templates/${at}/requirements/${index}`
      require(known.includes(lesson_type), `${place}/lesson_type is none of the country's lesson types`)
      require(includes.every((one) =>
        known.includes(one),
      ), `${place}/includes has none of the country's lesson types`)
    }
  }
  for (const [at, form] of pack.record.entries()) {
    const types = Object.keys(form.codes)
    require(isInOrder(form), `/record/${at}/valid_to must not be before valid_from`)
    require(types.every((one) =>
      known.includes(one),
    ), `/record/${at}/codes has none of the country's lesson types`)
  }
  const excepted = [
    ...pack.exams.without_theory_test,
    ...pack.record.flatMap(({ without = [] }) => without),
    ...pack.ticks.kinds.flatMap(({ without = [] }) => without),
  ]
  for (const code of excepted)
    require(codes.includes(code), `names the template ${code}, which the pack does not have`)
  return faults
}

function isInOrder({ valid_from, valid_to }: Dated): boolean {
  return !valid_from || !valid_to || valid_from <= valid_to
}

function overlap(a: Dated, b: Dated): boolean {
  const endsBefore = ({ valid_to }: Dated, { valid_from }: Dated) =>
    Boolean(valid_to && valid_from && valid_to < valid_from)
  return !endsBefore(a, b) && !endsBefore(b, a)
}
