import type { LicenseClassTemplate } from '../../contract/license-class-template.ts'
import { localToday } from '../../domain/time-zone.ts'
import type { School } from './school.tsx'

/** Returns the licence classes of the school's country, in the order of its pack. */
export function allClasses({ templates }: Pick<School, 'templates'>): readonly string[] {
  return [...new Set(templates.map(({ license_class }) => license_class))]
}

export function offeredClasses(school: Pick<School, 'templates' | 'tenant'>): readonly string[] {
  return allClasses(school).filter((one) => !school.tenant.hidden_license_classes.includes(one))
}

/** Returns the templates to choose from: those of offered classes that are the law today, and the current one. */
export function offeredTemplates(
  school: Pick<School, 'templates' | 'tenant'>,
  held: string | null,
  today = localToday(new Date(), school.tenant.timezone),
): readonly LicenseClassTemplate[] {
  const offered = offeredClasses(school)
  const isLaw = ({ valid_from, valid_to }: LicenseClassTemplate) =>
    (valid_from ?? today) <= today && today <= (valid_to ?? today)
  return school.templates.filter(
    (one) => one.id === held || (offered.includes(one.license_class) && isLaw(one)),
  )
}
