import { useTranslation } from 'react-i18next'
import { Empty } from '../ui/states.tsx'

export function InstructorsPage() {
  const { t } = useTranslation()
  return <Empty text={t('instructor.noneYet')} />
}
