import { useTranslation } from 'react-i18next'
import { Empty } from '../ui/states.tsx'

export function StudentsPage() {
  const { t } = useTranslation()
  return <Empty text={t('later.text')} />
}
