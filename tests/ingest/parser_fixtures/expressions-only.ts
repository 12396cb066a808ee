import 'dotenv/config'; // before everything that reads the environment
import * as Sentry from '@sentry/node';
import { app } from './app';
import { connect } from './database';
import { logger } from './logger';

Sentry.init({ dsn: process.env.SENTRY_DSN, tracesSampleRate: 0.1 });

app.use(Sentry.Handlers.requestHandler());
app.use(logger.middleware);
app.set('trust proxy', 1); // the balancer terminates TLS

await connect(process.env.DATABASE_URL ?? 'postgres://localhost/app');

app.listen(process.env.PORT ?? 3000, () => logger.info('listening'));
process.on('uncaughtException', (error) => {
  logger.fatal(error);
  process.exit(1);
}); // nothing after this can be trusted

export * from './app';
