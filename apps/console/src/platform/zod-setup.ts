import { z } from 'zod'

// zod would probe for `new Function`, which the Content-Security-Policy forbids and the browser reports.
z.config({ jitless: true })
