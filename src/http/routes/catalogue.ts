import type { App, Service } from '../service.ts'
import { lessonTypeRoutes } from './lesson-types.ts'
import { licenseClassTemplateRoutes } from './license-class-templates.ts'
import { topicRoutes } from './topics.ts'

/** Routes for the data of the country's pack. */
export function catalogueRoutes(app: App, service: Service): void {
  lessonTypeRoutes(app, service)
  licenseClassTemplateRoutes(app, service)
  topicRoutes(app, service)
}
