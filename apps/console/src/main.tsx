import './ui/theme/styles.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { loadConsoleSettings } from './platform/console-settings.ts'
import { startI18n } from './platform/i18n.ts'
import { followOtherTabs } from './platform/session.ts'
import { followTypedNumbers } from './platform/typed-numbers.ts'

followOtherTabs()
followTypedNumbers()
void loadConsoleSettings()
await startI18n()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(<App />)
