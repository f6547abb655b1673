import { useTranslation } from 'react-i18next'
import { pagePath } from '../api/links.ts'
import { LinkPanel } from './link-panel.tsx'
import { useLink } from './use-link.ts'

/** The link to a student's own page. */
export function StudentLink({ studentId }: { readonly studentId: string }) {
  const { t } = useTranslation()
  const link = useLink(pagePath(studentId))
  return <LinkPanel link={link} intro={t('links.pageIntro')} onMake={() => link.make()} />
}
