// Written by `npm run gen` from docs/generated/openapi.json; do not edit.
export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The public keys of receipts, also those that no longer sign, as a JSON Web Key Set (ours) */
        get: operations["receipts.keys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/about": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Option About */
        get: operations["status.about"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Audit log, newest first; an administrator sees channels, codes and own entries, root sees everything (ours) */
        get: operations["audit.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Audit entries of the own actions, newest first (ours) */
        get: operations["audit.listOwn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit/self/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Audit entries of the own actions, or of all for the organisation, as CSV or JSON lines, newest first (ours) */
        get: operations["csvExports.ownAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/budgets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Budgets of a token, user, group, project or member as they are now; without one, all that count the own requests (ours) */
        get: operations["budgets.list"];
        put?: never;
        /** Sets a budget: of an own token, as an administrator of a user or token, as root of a group, for an organisation of itself, a project or a member (ours) */
        post: operations["budgets.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/budgets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Changes amount, action and alerts of a budget; within a second it counts everywhere (ours) */
        put: operations["budgets.update"];
        post?: never;
        /** Removes a budget (ours) */
        delete: operations["budgets.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/budgets/{id}/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a budget has counted on each of the last 35 days with spending, by the hourly sums (ours) */
        get: operations["budgets.days"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Channels by priority, or by id with id_sort; tag_mode: a page of tags with all their channels; p starts at 0 */
        get: operations["channels.list"];
        /** Updates a channel */
        put: operations["channels.update"];
        /** Creates one channel per line of the key */
        post: operations["channels.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One channel */
        get: operations["channels.get"];
        put?: never;
        post?: never;
        /** Deletes a channel */
        delete: operations["channels.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/{id}/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The balances that were read from the vendor of a channel, newest first (ours) */
        get: operations["channels.balances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/{id}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes a failing channel from those that need attention, until another call fails (ours) */
        post: operations["channels.acknowledgeFailure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/{id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The keys of a channel by their last four characters, with their states (ours) */
        get: operations["channelKeys.list"];
        /** Enables, disables, dates or deletes keys of a channel (ours) */
        put: operations["channelKeys.update"];
        /** Adds keys to a channel (ours) */
        post: operations["channelKeys.add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/{id}/keys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Adds a key that replaces another one, which is used until the end of the overlap (ours) */
        post: operations["channelKeys.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many channels need an operator, by reason (ours) */
        get: operations["channels.attention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deletes channels */
        post: operations["channels.removeMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/batch/edit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Changes models, groups, priority, weight, tag, proxy or status of these channels; returns how many changed (ours) */
        post: operations["channelBatches.edit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/batch/map": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends requests for a model as requests for another, in every channel that has the model and does not map it; returns how many changed (ours) */
        post: operations["channelBatches.mapModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/batch/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a batch edit would change in these channels (ours) */
        post: operations["channelBatches.preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/batch/tag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sets or removes the tag of channels */
        post: operations["channels.tagMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/copy/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Copies a channel with its key (ours) */
        post: operations["channels.copy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes all disabled channels */
        delete: operations["channels.removeDisabled"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/effective_cost": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a million useful tokens of each model cost at each channel in the last hours, 1 to 24 (ours) */
        get: operations["channels.effectiveCosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** These channels or all as a file without keys (ours) */
        post: operations["channelFiles.plain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/export/sealed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The same with keys, sealed with a passphrase (ours) */
        post: operations["channelFiles.sealed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/fetch_models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Models that a vendor lists, before the channel is saved */
        post: operations["channels.fetchModelsOf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/fetch_models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Models that the vendor of a saved channel lists */
        get: operations["channels.fetchModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/fix": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rebuilds the abilities of all channels */
        post: operations["channels.repair"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Which channels a request would try, in which order and how probably, and price changes within 31 days; refused as the relay would (ours) */
        post: operations["channels.forecast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Calls of the last hour, breakers, last error and tests, and today’s money of these channels (ours) */
        get: operations["channels.health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates the channels of a file; with is_preview, says what would be created (ours) */
        post: operations["channelFiles.import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All preset models */
        get: operations["channels.models"];
        put?: never;
        /** Adds models to channels and removes others, each channel its own, all or none (ours) */
        post: operations["channels.applyModels"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/models_enabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Models that at least one enabled channel serves */
        get: operations["channels.enabledModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The call that a channel would make for a sample request, before and after its overrides; nothing is sent (ours) */
        post: operations["channels.preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The latest run of a kind, with its results from an index on (ours) */
        get: operations["channels.getRun"];
        put?: never;
        /** Starts a run over these channels, or over all: tests, balances, or lists of models; one of a kind at a time (ours) */
        post: operations["channels.startRun"];
        /** Cancels the run of a kind; channels that are done keep their results (ours) */
        delete: operations["channels.cancelRun"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Searches channels by id, name, address, complete key or its last four characters, group and model */
        get: operations["channels.search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The part of the requests that a weight gives a channel, beside the channels that it competes with (ours) */
        post: operations["channels.shares"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/tag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Updates all channels of a tag */
        put: operations["channels.updateTag"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/tag/disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Disables all channels of a tag */
        post: operations["channels.disableTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/tag/enabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Enables all channels of a tag */
        post: operations["channels.enableTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Starts a test of all channels */
        get: operations["channels.testAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/test/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tests a channel; time in seconds */
        get: operations["channels.test"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/unpriced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Which of these models have no price, so that requests for them are refused (ours) */
        post: operations["channels.unpricedModels"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/update_balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads the balances of all channels from their vendors */
        get: operations["channels.updateBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/update_balance/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads the balance of a channel from its vendor */
        get: operations["channels.updateBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/config/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Applies files of configuration in one transaction, if a plan still holds (ours) */
        post: operations["config.apply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/config/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The configuration as the content of files, without secrets; with user_tokens also the tokens of people (ours) */
        get: operations["config.export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/config/managed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Records that files of configuration manage (ours) */
        get: operations["config.managed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/config/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What applying files of configuration would change; nothing is stored (ours) */
        post: operations["config.plan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Usage by model and hour; with username only of that user */
        get: operations["dashboard.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Own usage, at most 30 days */
        get: operations["dashboard.listOwn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data/self/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Own usage over time by model, token or group, of an organisation also by project or member (ours) */
        get: operations["dashboard.ownSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Usage over time by model, user, token, channel or group, with username only of that user, also by project or member (ours) */
        get: operations["dashboard.series"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/delivery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Mails and webhooks, newest first; those that were given up with state `dead` (ours) */
        get: operations["deliveries.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/delivery/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a mail or webhook again that was given up (ours) */
        post: operations["deliveries.retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/delivery/test_mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a test mail with the saved options and waits for the mail server’s answer (ours) */
        post: operations["deliveries.testMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/group": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Names of all groups */
        get: operations["groups.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** State of services, stores, ledger, queues and partitions, and what needs an operator (ours) */
        get: operations["health.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest failed jobs of a queue, at most 50 (ours) */
        get: operations["health.failedJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health/jobs/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Removes a failed job from its queue (ours) */
        post: operations["health.removeJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health/jobs/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs a failed job again (ours) */
        post: operations["health.retryJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/home_page_content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Option HomePageContent */
        get: operations["status.homePage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The latest import from another gateway with its report, and what was imported (ours) */
        get: operations["imports.get"];
        put?: never;
        /** Starts a dry run of an import from an address or an uploaded file (ours) */
        post: operations["imports.start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Forgets an import that has ended, with its address or file; what was carried stays (ours) */
        delete: operations["imports.forget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops an import between two batches (ours) */
        post: operations["imports.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The whole report of an import as JSON or as a page (ours) */
        get: operations["imports.report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Starts a run with the source and choices of an earlier one: carries what a dry run showed, goes on, or looks again (ours) */
        post: operations["imports.runAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes a database or configuration file for an import, as application/octet-stream (ours) */
        post: operations["imports.upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ledger/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The result of the last ledger check; null before the first (ours) */
        get: operations["ledger.report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ledger/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Starts a ledger check in the worker; its result can be read when it has ended (ours) */
        post: operations["ledger.verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/limits/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the limits would let a request pass now, and which would not; takes nothing from them (ours) */
        get: operations["limits.check"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Log entries, newest first */
        get: operations["logs.list"];
        put?: never;
        post?: never;
        /** Deletes entries older than target_timestamp */
        delete: operations["logs.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/{id}/explanation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Explains the cost of a request (ours) */
        get: operations["logs.explain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/{id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The signed receipt of a charge, correction or refund (ours) */
        get: operations["receipts.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/archives": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Months of entries in the object store, with their progress, and months that can go there (ours) */
        get: operations["logs.archives"];
        put?: never;
        /** Moves the entries of a month to the object store in the background (ours) */
        post: operations["logs.archive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/archives/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Brings the entries of an archived month back in the background (ours) */
        post: operations["logs.restoreArchive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/archives/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The latest search of the archive that the caller began, with its progress; null: none of the last half hour (ours) */
        get: operations["archiveSearches.latest"];
        put?: never;
        /** Looks for a request id in the archive in the background, instead of an earlier search (ours) */
        post: operations["archiveSearches.start"];
        /** Cancels the search of the archive that the caller began, if it is under way; null: none of the last half hour (ours) */
        delete: operations["archiveSearches.cancel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/clearings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest deletions of entries, with their progress (ours) */
        get: operations["logs.clearings"];
        put?: never;
        /** Deletes entries older than target_timestamp in the background (ours) */
        post: operations["logs.clear"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/clearings/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many entries are older than target_timestamp (ours) */
        get: operations["logs.countBefore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The matching log entries as a CSV file, newest first (ours) */
        get: operations["csvExports.logs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/focus/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Cost and usage of all users in a month as a CSV file in the FOCUS 1.2 format (ours) */
        get: operations["csvExports.focus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/histogram": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts the requests of a range over time, by how they ended (ours) */
        get: operations["logs.histogram"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts refused requests by reason, including those without an entry (ours) */
        get: operations["logs.refusals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest 100 entries by type or start of the content */
        get: operations["logs.search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Own log entries, newest first */
        get: operations["logs.listOwn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/self/{id}/explanation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Explains the cost of an own request, without channels (ours) */
        get: operations["logs.explainOwn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/self/{id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The signed receipt of an own charge, correction or refund (ours) */
        get: operations["receipts.getOwn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/self/archives/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The latest search for an own request in the archive, without channels; null: none of the last half hour (ours) */
        get: operations["archiveSearches.latestOwn"];
        put?: never;
        /** Looks for an own request in the archive in the background, instead of an earlier search (ours) */
        post: operations["archiveSearches.startOwn"];
        /** Cancels the search for an own request in the archive, if it is under way; null: none of the last half hour (ours) */
        delete: operations["archiveSearches.cancelOwn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/self/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Own matching log entries as a CSV file, newest first (ours) */
        get: operations["csvExports.ownLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/self/focus/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Own cost and usage in a month as a CSV file in the FOCUS 1.2 format (ours) */
        get: operations["csvExports.ownFocus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/self/histogram": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts the own requests of a range over time, by how they ended (ours) */
        get: operations["logs.histogramOwn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/self/receipts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The receipts of a range of time, one a line, newest first (ours) */
        get: operations["receipts.exportOwn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/self/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts own refused requests by reason, including those without an entry (ours) */
        get: operations["logs.refusalsOwn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/self/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest 100 own entries of a type */
        get: operations["logs.searchOwn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/self/stat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Total quota of own entries; requests and tokens of the last minute */
        get: operations["logs.statOwn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/stat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Total quota of the matching entries; requests and tokens of the last minute */
        get: operations["logs.stat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Entries of one API key, sent in the Authorization header; of the last 31 days without a time */
        get: operations["logs.listOfToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mj": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Drawing tasks, newest first, ten per page; p starts at 0; times in milliseconds */
        get: operations["drawingTasks.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mj/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Own drawing tasks */
        get: operations["drawingTasks.listOwn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Preset models of each channel type */
        get: operations["models.presets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Option Notice */
        get: operations["status.notice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/email/bind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Binds an e-mail address */
        get: operations["oauth.bindEmail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/github": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Signs in with GitHub, or binds the account */
        get: operations["oauth.github"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/linuxdo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Signs in with Linux DO, or binds the account */
        get: operations["oauth.linuxdo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Signs in with OIDC, or binds the account */
        get: operations["oauth.oidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/oidc/discover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reads the addresses of an OIDC well-known document (ours) */
        post: operations["oauth.discover"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The address of a provider’s sign-in page with state, PKCE and nonce (ours) */
        post: operations["oauth.start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A single-use state for a third-party sign-in */
        get: operations["oauth.state"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/telegram/bind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Binds Telegram and redirects */
        get: operations["oauth.bindTelegram"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/telegram/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Signs in with Telegram */
        get: operations["oauth.telegram"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/telegram/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The state of a Telegram binding, valid for 5 minutes (ours) */
        post: operations["oauth.telegramState"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/unbind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Removes a binding, unless it is the only way to sign in (ours) */
        post: operations["oauth.unbind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/wechat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Signs in with WeChat */
        get: operations["oauth.wechat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/wechat/bind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Binds WeChat */
        get: operations["oauth.bindWechat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All options except secrets */
        get: operations["options.list"];
        /** Stores one option */
        put: operations["options.update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** All options with their secrets, sealed with a passphrase (ours) */
        post: operations["options.exportFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stores chosen options of a file, each like a single change (ours) */
        post: operations["options.importFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/import/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What an import of options would change; nothing is stored (ours) */
        post: operations["options.previewImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which options differ from the default and who changed them (ours) */
        get: operations["options.notes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/price_catalogue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The built-in catalogue of models and prices, as entries of price options (ours) */
        get: operations["prices.catalogue"];
        put?: never;
        /** Reads a catalogue at an address: of another Tollgate or new-api, litellm or models.dev; nothing is stored (ours) */
        post: operations["prices.readCatalogue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/price_change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Scheduled price changes: waiting ones, then the latest others (ours) */
        get: operations["prices.changes"];
        put?: never;
        /** Schedules the entries of price options that differ from the stored ones (ours) */
        post: operations["prices.schedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/price_change/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Cancels a scheduled price change (ours) */
        delete: operations["prices.cancelChange"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/price_history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The latest changes of the price of a model, group or tool, newest first; changes of 1.0.0-rc.1 are in the audit log only (ours) */
        get: operations["prices.history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/price_history/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Puts the entries back that one past change set, if nothing changed them since; within seconds, as a scheduled change (ours) */
        post: operations["prices.putBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/price_refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The result of the latest refresh of prices from the catalogue; null: there was none (ours) */
        get: operations["prices.refresh"];
        put?: never;
        /** Compares the prices with the catalogue now, in the background, and takes what the bounds allow (ours) */
        post: operations["prices.startRefresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/price_replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The latest price replay, with its progress or result (ours) */
        get: operations["prices.replays"];
        put?: never;
        /** Prices the charges of the last days again with other prices, in the background; ends an earlier replay (ours) */
        post: operations["prices.startReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/price_replay/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Cancels a price replay (ours) */
        delete: operations["prices.cancelReplay"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/rest_model_ratio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resets ModelRatio to the default */
        post: operations["options.resetModelRatio"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tries the stored settings of a service outside (ours) */
        post: operations["options.testOutside"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The chosen organisation (ours) */
        get: operations["organisation.get"];
        /** Renames the organisation (ours) */
        put: operations["organisation.rename"];
        post?: never;
        /** Deletes the organisation: its tokens end at once, and what is left in its wallet is lost (ours) */
        delete: operations["organisation.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How people become members by an identity provider (ours) */
        get: operations["organisationAccess.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sets which claims at sign-in with OIDC give which role; root must have allowed it (ours) */
        put: operations["organisationAccess.setClaims"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Invitations that are open (ours) */
        get: operations["organisation.invitations"];
        put?: never;
        /** Invites to the organisation, by mail if an address is given; data has the code of the link, once (ours) */
        post: operations["organisation.invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Withdraws an invitation (ours) */
        delete: operations["organisation.withdraw"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Leaves the organisation; the last owner cannot (ours) */
        post: operations["organisation.leave"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Members of the organisation (ours) */
        get: operations["organisation.members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Gives a member another role (ours) */
        put: operations["organisation.setRole"];
        post?: never;
        /** Ends a membership; the member’s tokens are disabled, or stay (ours) */
        delete: operations["organisation.removeMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/movable_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest 100 tokens of the member’s own account, which can be moved here (ours) */
        get: operations["organisation.movableTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/owner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes another member the owner; the caller becomes an administrator (ours) */
        post: operations["organisation.handOver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Projects of the organisation (ours) */
        get: operations["organisation.projects"];
        put?: never;
        /** Adds a project (ours) */
        post: operations["organisation.createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Renames a project (ours) */
        put: operations["organisation.renameProject"];
        post?: never;
        /** Removes a project that has no tokens (ours) */
        delete: operations["organisation.removeProject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/projects/{id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Moves tokens of the member’s own account into a project; their keys stay (ours) */
        post: operations["organisation.moveTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/scim/group": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sets the role that a group gives; null for none (ours) */
        put: operations["organisationAccess.setGroupRole"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/scim/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Groups that the identity provider has made, with the roles that they give (ours) */
        get: operations["organisationAccess.groups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/scim/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** People whom the identity provider has made (ours) */
        get: operations["organisationAccess.people"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/scim/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sets the role of provisioned people whose groups give none (ours) */
        put: operations["organisationAccess.setProvisionedRole"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/scim/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** SCIM tokens of the organisation, without secrets (ours) */
        get: operations["organisationAccess.tokens"];
        put?: never;
        /** Makes a SCIM token; data has the secret, once (ours) */
        post: operations["organisationAccess.createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/scim/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Removes a SCIM token (ours) */
        delete: operations["organisationAccess.removeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/scim/tokens/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives a SCIM token a new secret; the earlier one ends at once (ours) */
        post: operations["organisationAccess.rotateToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sets the provider with which members must have signed in; empty for any (ours) */
        put: operations["organisationAccess.setProvider"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisation/spending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What projects or members have spent in a time of at most a year, by hours (ours) */
        get: operations["organisation.spending"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Organisations of the caller, invitations to the own e-mail, and whether one may be founded (ours) */
        get: operations["organisations.listOwn"];
        put?: never;
        /** Founds an organisation, whose owner the caller is (ours) */
        post: operations["organisations.found"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisations/{id}/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sets which claims at sign-in with OIDC give which role in an organisation (ours) */
        put: operations["organisationAccess.setClaimsAsRoot"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisations/{id}/trust": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What root has said about an organisation (ours) */
        get: operations["organisationAccess.trust"];
        /** Says which domains are an organisation’s: people with such addresses become members without an invitation (ours) */
        put: operations["organisationAccess.setTrust"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisations/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All organisations, newest first (ours) */
        get: operations["organisations.listAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisations/convert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes the own account an organisation: its tokens become those of a project, its wallet stays, and the caller gets a new account (ours) */
        post: operations["organisations.convert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisations/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an invitation link offers (ours) */
        get: operations["organisations.peek"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisations/invitation/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Declines an invitation to the own e-mail (ours) */
        delete: operations["organisations.decline"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organisations/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accepts an invitation: by its link, or by its id when it was sent to the own e-mail (ours) */
        post: operations["organisations.join"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Payment orders of all users, newest first (ours) */
        get: operations["payments.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payment/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Asks the provider about an order and books what it says (ours) */
        post: operations["payments.check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payment/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Credits an order that the provider does not confirm, with a reason (ours) */
        post: operations["payments.complete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payment/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the provider has said about an order (ours) */
        get: operations["payments.statements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pricing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Prices of all models for this visitor */
        get: operations["pricing.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/receipts/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The keys of receipts, the newest first (ours) */
        get: operations["receipts.listKeys"];
        put?: never;
        /** Makes a new key for receipts; those signed before stay valid (ours) */
        post: operations["receipts.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/redemption": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Codes, newest first */
        get: operations["redemptions.list"];
        /** Updates a code, or with status_only its status */
        put: operations["redemptions.update"];
        /** Creates codes, all or none */
        post: operations["redemptions.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/redemption/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One code */
        get: operations["redemptions.get"];
        put?: never;
        post?: never;
        /** Deletes a code */
        delete: operations["redemptions.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/redemption/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Searches codes by start of the name, or by id */
        get: operations["redemptions.search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reset_password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Mails a password reset link */
        get: operations["registration.sendReset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the system has been set up */
        get: operations["setup.get"];
        put?: never;
        /** Sets the system up: root account and usage mode */
        post: operations["setup.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup/first-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** State of the first-run checklist (ours) */
        get: operations["setup.firstRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Site status */
        get: operations["status.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status_incident": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Incidents of the public status page with their updates, newest first, and the groups of the page (ours) */
        get: operations["statusIncidents.list"];
        put?: never;
        /** Opens an incident with its first update (ours) */
        post: operations["statusIncidents.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status_incident/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Changes title, groups and visibility of an incident (ours) */
        put: operations["statusIncidents.update"];
        post?: never;
        /** Removes an incident with its updates (ours) */
        delete: operations["statusIncidents.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status_incident/{id}/updates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Adds an update to an incident, which takes its state (ours) */
        post: operations["statusIncidents.addUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest version in the release feed (ours) */
        get: operations["status.release"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status/stores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which stores do not answer now; answers within two seconds while they are away (ours) */
        get: operations["status.stores"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tests the database connection */
        get: operations["status.test"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stripe/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Events of Stripe, signed (ours) */
        post: operations["payments.stripeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/task": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Music and video tasks, newest first, ten per page; p starts at 0; times in seconds */
        get: operations["tasks.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/task/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where a browser can play what an own task made, or any task for an admin (ours) */
        get: operations["tasks.media"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/task/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Own music and video tasks */
        get: operations["tasks.listOwn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Own tokens, newest first; p starts at 0, size at most 100 */
        get: operations["tokens.list"];
        /** Updates a token, or with status_only its status */
        put: operations["tokens.update"];
        /** Creates a token */
        post: operations["tokens.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One own token */
        get: operations["tokens.get"];
        put?: never;
        post?: never;
        /** Deletes a token */
        delete: operations["tokens.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/{id}/open_work": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a token has begun that has not ended (ours) */
        get: operations["tokens.openWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many tokens the caller has (ours); the list itself is not counted */
        get: operations["tokens.count"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Searches own tokens by name and by the key, its start or its end */
        get: operations["tokens.search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Quota of one API key, sent in the Authorization header, as newer servers answer it (ours) */
        get: operations["billing.tokenUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Users, newest first, deleted ones included */
        get: operations["users.list"];
        /** Updates a user, and answers with it */
        put: operations["users.update"];
        /** Creates a user */
        post: operations["users.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One user */
        get: operations["users.get"];
        put?: never;
        post?: never;
        /** Deletes a user permanently */
        delete: operations["users.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tokens of a user, newest first, with masked keys (ours) */
        get: operations["users.tokens"];
        put?: never;
        /** Creates a token for a user, and answers once with its key (ours) */
        post: operations["userAccess.createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}/two-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Removes second factor and passkeys of a user who lost them; ends the sessions of that user (ours) */
        delete: operations["twoFactor.reset"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last thirty days of a user, and its last request (ours) */
        get: operations["users.usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}/view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Shows this browser the console as the user, for half an hour and without changes (ours) */
        post: operations["userAccess.view"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}/wallet/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Wallet entries of a user, newest first (ours) */
        get: operations["statements.entriesOf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}/wallet/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The statement of a user for a month (ours) */
        get: operations["statements.monthOf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/aff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Own invite code */
        get: operations["self.inviteCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/aff_transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Moves invite earnings to the balance */
        post: operations["self.transferInviteQuota"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/amount": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The price of an amount */
        post: operations["wallet.amount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/epay/notify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Notification of the payment gateway */
        get: operations["wallet.notify"];
        put?: never;
        /** Notification of the payment gateway, sent by POST */
        post: operations["wallet.notifyByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Groups that a visitor may use */
        get: operations["groups.usable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sets the limits that all tokens of a user share: requests and tokens per minute, open requests (ours) */
        put: operations["users.setLimits"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs in and sets the session cookie */
        post: operations["signIn.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/login/second-step": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Finishes a sign-in with the code of an authenticator app or a recovery code (ours) */
        post: operations["signIn.secondStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ends the session */
        get: operations["signIn.remove"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/manage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Promotes, demotes, disables, enables or deletes a user */
        post: operations["users.manage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Models that the caller may use */
        get: operations["self.models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Own notices, newest first (ours) */
        get: operations["deliveries.listOwn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/notifications/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a test notice as the own setting says (ours) */
        post: operations["deliveries.testOwn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs in with a passkey (ours) */
        post: operations["passkeys.signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Options for the use of a passkey (ours) */
        post: operations["passkeys.startSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Starts a payment */
        post: operations["wallet.pay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/quota": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Adds to or takes from the balance of a user, with a reason (ours) */
        post: operations["users.adjustQuota"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Registers an account; does not sign in */
        post: operations["registration.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sets a new random password; data is the password */
        post: operations["registration.resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Searches users by name, e-mail, display name or id, and by group */
        get: operations["users.search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Own data */
        get: operations["self.get"];
        /** Changes own name, display name or password */
        put: operations["self.update"];
        post?: never;
        /** Deletes the own account */
        delete: operations["self.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/self/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All own data as JSON lines: profile, keys without their text, wallet entries, log entries (ours) */
        get: operations["csvExports.own"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/self/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Groups that the caller may use */
        get: operations["self.groups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/self/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Adds a passkey (ours) */
        post: operations["passkeys.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/self/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Removes a passkey (ours) */
        delete: operations["passkeys.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/self/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Options for a new passkey (ours) */
        post: operations["passkeys.startNew"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/self/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirms the own password, code or passkey for this session; for five minutes it may change credentials (ours) */
        post: operations["sessions.prove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/self/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Own sessions, newest first (ours) */
        get: operations["sessions.list"];
        put?: never;
        post?: never;
        /** Signs out everywhere: ends all own sessions, this one too (ours) */
        delete: operations["sessions.removeAll"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/self/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends one of the own sessions (ours) */
        delete: operations["sessions.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/self/two-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Two-step verification and passkeys of the own account (ours) */
        get: operations["twoFactor.get"];
        put?: never;
        /** Turns two-step verification on and returns the recovery codes once; ends all other sessions (ours) */
        post: operations["twoFactor.confirm"];
        /** Turns two-step verification off (ours) */
        delete: operations["twoFactor.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/self/two-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replaces the recovery codes and returns the new ones once (ours) */
        post: operations["twoFactor.renewCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/self/two-factor/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a secret for an authenticator app; it counts after its first code (ours) */
        post: operations["twoFactor.start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/setting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Notification and price settings */
        put: operations["self.updateSetting"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Creates a new system access token and invalidates the old one */
        get: operations["self.createAccessToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/topup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Redeems a code; data is the quota added */
        post: operations["wallet.redeem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/topup/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Payment methods, offered amounts and prices for the caller (ours) */
        get: operations["payments.info"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/topup/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Own payment orders, newest first (ours) */
        get: operations["payments.own"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/view/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends the view, and answers with the own account again (ours) */
        post: operations["userAccess.endView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/wallet/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Own spend alerts with what was spent in the running period (ours) */
        get: operations["spendAlerts.list"];
        /** Sets the threshold of the account or of an own token for a period (ours) */
        put: operations["spendAlerts.save"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/wallet/alerts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes an own spend alert (ours) */
        delete: operations["spendAlerts.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/wallet/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Own wallet entries, newest first (ours) */
        get: operations["statements.entries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/wallet/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Own wallet entries as a CSV file, oldest first (ours) */
        get: operations["csvExports.wallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/wallet/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The own statement of a month: entries and usage per day, with balances (ours) */
        get: operations["statements.month"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/wallets/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The wallet entries of all users as a CSV file, oldest first (ours) */
        get: operations["csvExports.wallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vendor_invoice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Invoices of vendors with the totals of their comparison, newest first (ours) */
        get: operations["vendorInvoices.list"];
        put?: never;
        /** Stores an invoice of a vendor and compares it with the log in the background; refused whole if a row cannot be read (ours) */
        post: operations["vendorInvoices.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vendor_invoice_channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The channels that an invoice can be about (ours) */
        get: operations["vendorInvoices.channels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vendor_invoice/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An invoice with the progress or the totals of its comparison (ours) */
        get: operations["vendorInvoices.find"];
        put?: never;
        post?: never;
        /** Deletes an invoice of a vendor with its comparison (ours) */
        delete: operations["vendorInvoices.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vendor_invoice/{id}/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Compares an invoice with the log once more (ours) */
        post: operations["vendorInvoices.compare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vendor_invoice/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The comparison as a CSV file (ours) */
        get: operations["vendorInvoices.export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vendor_invoice/{id}/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The comparison by channel, model and day, largest difference first (ours) */
        get: operations["vendorInvoices.lines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vendor_invoice/fetch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fetches usage and costs from a vendor with an administration key, which is not stored, and compares them (ours) */
        post: operations["vendorInvoices.fetch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vendor_invoice/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reads files of an invoice without storing them: columns, mapping, totals, and rows that cannot be read (ours) */
        post: operations["vendorInvoices.preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Mails a verification code */
        get: operations["registration.sendCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook_endpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Webhook endpoints that get events (ours) */
        get: operations["webhookEndpoints.list"];
        put?: never;
        /** Adds a webhook endpoint and shows its secret once (ours) */
        post: operations["webhookEndpoints.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook_endpoint/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Changes a webhook endpoint (ours) */
        put: operations["webhookEndpoints.update"];
        post?: never;
        /** Removes a webhook endpoint with its deliveries (ours) */
        delete: operations["webhookEndpoints.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook_endpoint/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last 100 deliveries of a webhook endpoint, newest first (ours) */
        get: operations["webhookEndpoints.deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook_endpoint/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a new secret and shows it once; for a day the old one signs too (ours) */
        post: operations["webhookEndpoints.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook_endpoint/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Queues an event `test` for a webhook endpoint (ours) */
        post: operations["webhookEndpoints.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook_endpoint/deliveries/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a delivery again, with the same id and content (ours) */
        post: operations["webhookEndpoints.sendAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/what_if": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The latest replays of recorded requests, without their results (ours) */
        get: operations["whatIf.list"];
        put?: never;
        /** Chooses the channels of the requests of the last hours again with another configuration, in the background; ends an earlier replay (ours) */
        post: operations["whatIf.start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/what_if_present": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The channels, strategies and chains of now, which a replay can change (ours) */
        get: operations["whatIf.present"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/what_if/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A replay of recorded requests, with its progress or result (ours) */
        get: operations["whatIf.find"];
        put?: never;
        post?: never;
        /** Cancels a replay of recorded requests (ours) */
        delete: operations["whatIf.cancel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/billing/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Limits of an API key in the OpenAI shape */
        get: operations["billing.subscriptionShort"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/billing/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Usage of an API key in the OpenAI shape */
        get: operations["billing.usageShort"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pg/audio/speech": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Text read aloud from the console, charged to the wallet (ours) */
        post: operations["playground.speech"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pg/audio/transcriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The text of a recording from the console, charged to the wallet (ours) */
        post: operations["playground.transcription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pg/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A chat from the console, charged to the wallet */
        post: operations["playground.chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pg/images/generations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A picture from the console, charged to the wallet (ours) */
        post: operations["playground.image"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dashboard/billing/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Limits of an API key in the OpenAI shape */
        get: operations["billing.subscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dashboard/billing/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Usage of an API key in the OpenAI shape */
        get: operations["billing.usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AddedKeys: {
            added: number;
            known: number;
        };
        Amount: number;
        ArchiveMonth: string;
        ArchiveSearch: {
            fault: components["schemas"]["ArchiveSearchFault"] | null;
            found: components["schemas"]["LogExplanation"][];
            objects: number;
            objects_read: number;
            request_id: string;
            state: components["schemas"]["ArchiveSearchState"];
        };
        /** @enum {string} */
        ArchiveSearchFault: "no-store" | "unreadable" | "stopped";
        /** @enum {string} */
        ArchiveSearchState: "waiting" | "reading" | "done" | "failed" | "cancelled";
        /** @enum {string} */
        ArchiveState: "writing" | "archived" | "restoring" | "restored";
        Attempt: {
            channel_id: number;
            channel_name: string;
            channel_type: number;
            code?: string;
            ended_ms: components["schemas"]["Millis"];
            first_byte_ms?: components["schemas"]["Millis"];
            group?: string;
            key?: string;
            message?: string;
            model?: string;
            /** @enum {string} */
            outcome: "answered" | "refused" | "limited" | "timeout" | "network" | "malformed" | "aborted";
            /** @enum {string} */
            retry?: "no" | "other-channel" | "same-channel";
            started_ms: components["schemas"]["Millis"];
            status?: number;
            upstream_model: string;
        };
        AuditChange: {
            after?: string;
            before?: string;
            field: string;
        };
        AuditEntry: {
            action: string;
            actor_id: number;
            actor_name: string;
            actor_role: number;
            changes: components["schemas"]["AuditChange"][];
            created_at: components["schemas"]["UnixSeconds"];
            id: number;
            ip: string;
            /** @enum {string} */
            resource: "channel" | "option" | "user" | "token" | "log" | "ledger" | "job" | "payment" | "redemption" | "delivery" | "budget" | "receipt-key" | "organisation" | "member" | "project" | "scim-token" | "scim-user" | "scim-group" | "import" | "vendor-invoice" | "webhook-endpoint" | "status-incident" | "config";
            resource_id: string;
            resource_name: string;
        };
        BatchChange: {
            groups?: {
                /** @enum {string} */
                action: "add" | "remove" | "replace";
                names: string[];
            } | null;
            models?: {
                /** @enum {string} */
                action: "add" | "remove" | "replace";
                names: string[];
            } | null;
            priority?: number | null;
            proxy?: string | null;
            status?: (1 | 2) | null;
            tag?: string | null;
            weight?: number | null;
        };
        BatchEdited: {
            changes: components["schemas"]["AuditChange"][];
            id: number;
            name: string;
            version: string;
        };
        BillingUsage: {
            /** @constant */
            object: "list";
            total_usage: number;
        };
        BreakerFacts: {
            /** @enum {string} */
            cause?: "failures" | "limited" | "dead";
            channel_id: number;
            channel_name: string;
            model: string;
            remaining_ms: number;
            /** @enum {string} */
            state: "open" | "half-open";
        };
        Budget: {
            /** @enum {string} */
            action: "refuse" | "warn";
            alert_percents: number[];
            amount: components["schemas"]["Quota"];
            created_at: components["schemas"]["UnixSeconds"];
            end: components["schemas"]["UnixSeconds"];
            ends_at: components["schemas"]["UnixSeconds"];
            group: string;
            held: components["schemas"]["Quota"];
            id: number;
            /** @constant */
            is_managed?: true;
            is_own: boolean;
            member_id: number;
            past: components["schemas"]["BudgetPast"][];
            project_id: number;
            /** @enum {string} */
            scope: "token" | "user" | "group" | "project" | "member";
            spent: components["schemas"]["Quota"];
            start: components["schemas"]["UnixSeconds"];
            start_day: number;
            time_zone: string;
            token_id: number;
            token_name: string;
            updated_at: components["schemas"]["UnixSeconds"];
            user_id: number;
            /** @enum {string} */
            window: "5h" | "day" | "week" | "month" | "total";
        };
        BudgetChange: {
            /**
             * @default refuse
             * @enum {string}
             */
            action?: "refuse" | "warn";
            /**
             * @default [
             *       80,
             *       100
             *     ]
             */
            alert_percents?: number[];
            amount: number;
            seen_at?: components["schemas"]["UnixSeconds"];
        };
        BudgetDay: {
            day: components["schemas"]["UnixSeconds"];
            spent: components["schemas"]["Quota"];
        };
        BudgetPast: {
            end: components["schemas"]["UnixSeconds"];
            spent: components["schemas"]["Quota"];
            start: components["schemas"]["UnixSeconds"];
        };
        CallPreview: {
            after?: components["schemas"]["PreviewedCall"];
            before: components["schemas"]["PreviewedCall"];
            error?: {
                code: string;
                message: string;
                operation: number;
                skip_retry: boolean;
                status: number;
                type: string;
            };
            format: string;
            upstream_model: string;
            warnings: string[];
        };
        CallPreviewQuestion: {
            /** @default  */
            base_url?: string;
            /** @default  */
            body?: string;
            /**
             * @default openai-chat
             * @enum {string}
             */
            call?: "openai-chat" | "openai-responses" | "anthropic-messages" | "gemini";
            /** @default  */
            headers?: string;
            model: string;
            /** @default  */
            model_mapping?: string;
            /** @default  */
            openai_organization?: string;
            /** @default  */
            other?: string;
            /** @default  */
            param_override?: string;
            /** @default 0 */
            retry_index?: number;
            /** @default  */
            setting?: string;
            type: number;
        };
        CandidateResult: {
            channel_id: number;
            channel_name: string;
            /** @enum {string} */
            chosen_by?: "affinity" | "probe" | "least-bad";
            model?: string;
            priority: number;
            remaining_ms?: number;
            /** @enum {string} */
            result: "chosen" | "not-drawn" | "lower-priority" | "already-tried" | "disabled" | "auto-disabled" | "cooling" | "breaker-open" | "half-open" | "keys-out" | "limit-reached" | "unsupported" | "off-schedule" | "slower" | "costlier" | "other-region";
            weight: number;
        };
        CatalogueRow: {
            coming: {
                entries: components["schemas"]["PriceEntries"];
                from: string;
                lines: components["schemas"]["PriceLines"];
            }[];
            each?: string;
            entries: components["schemas"]["PriceEntries"];
            is_served: boolean;
            lines: components["schemas"]["PriceLines"];
            maker: string;
            /** @enum {string} */
            mode: "chat" | "embedding" | "image" | "speech" | "transcription" | "realtime" | "moderation" | "rerank" | "video" | "other";
            name: string;
            page?: string;
            retires?: string;
            sources: string[];
            successor?: string;
        };
        CatalogueView: {
            date: string;
            rows: components["schemas"]["CatalogueRow"][];
            source: string;
            suspect_prices: {
                model: string;
                question: string;
            }[];
            unknown: string[];
        };
        ChangedChannel: {
            cost_ratio?: number;
            id: number;
            is_enabled?: boolean;
            priority?: number;
            weight?: number;
        };
        ChangedPrice: {
            completion_ratio?: number;
            model: string;
            model_ratio: number;
        };
        Channel: {
            auto_ban: number;
            balance: number;
            balance_updated_time: components["schemas"]["UnixSeconds"];
            base_url: string;
            created_time: components["schemas"]["UnixSeconds"];
            group: string;
            id: number;
            key: string;
            key_expires_at: components["schemas"]["UnixSeconds"];
            max_input_tokens: number;
            model_mapping: string;
            models: string;
            name: string;
            openai_organization: string;
            other: string;
            other_info: string;
            param_override: string;
            priority: number;
            response_time: number;
            setting: string;
            status: number;
            status_code_mapping: string;
            tag: string;
            test_error: string;
            test_model: string;
            test_time: components["schemas"]["UnixSeconds"];
            type: number;
            used_quota: components["schemas"]["Quota"];
            weight: number;
        };
        ChannelAttention: {
            auto_disabled: number;
            channels: number;
            failing: number;
            keys_disabled: number;
            keys_expiring: number;
            keys_out: number;
            low_balance: number;
            models_differ: number;
            tags: number;
            test_failed: number;
            total: number;
        };
        ChannelBalance: {
            at: components["schemas"]["UnixSeconds"];
            balance: number;
        };
        ChannelChange: {
            auto_ban?: number | null;
            base_url?: string | null;
            group?: string | null;
            /** @default 0 */
            id?: number;
            key?: string | null;
            max_input_tokens?: number | null;
            model_mapping?: string | null;
            models?: string | null;
            name?: string | null;
            openai_organization?: string | null;
            other?: string | null;
            param_override?: string | null;
            priority?: number | null;
            setting?: string | null;
            status?: number;
            status_code_mapping?: string | null;
            tag?: string | null;
            test_model?: string | null;
            type?: number;
            was?: components["schemas"]["SeenRow"];
            weight?: number | null;
        };
        ChannelFile: {
            channels: {
                /** @default 1 */
                auto_ban: number;
                /** @default  */
                base_url: string;
                /** @default  */
                group: string;
                key?: string;
                /** @default 0 */
                max_input_tokens: number;
                /** @default  */
                model_mapping: string;
                /** @default  */
                models: string;
                /** @default  */
                name: string;
                /** @default  */
                openai_organization: string;
                /** @default  */
                other: string;
                /** @default  */
                param_override: string;
                /** @default 0 */
                priority: number;
                /** @default  */
                setting: string;
                /** @default 1 */
                status: number;
                /** @default  */
                status_code_mapping: string;
                /** @default  */
                tag: string;
                /** @default  */
                test_model: string;
                type: number;
                /** @default 0 */
                weight: number;
            }[];
            exported_at: components["schemas"]["UnixSeconds"];
            /** @constant */
            format: "tollgate-channels";
            secrets?: string;
            /** @constant */
            version: 1;
        };
        ChannelHealth: {
            breakers: {
                /** @enum {string} */
                cause?: "failures" | "limited" | "dead";
                key_id: string;
                model: string;
                remaining_ms: number;
                /** @enum {string} */
                state: "open" | "half-open";
            }[];
            channel_id: number;
            cost_today?: components["schemas"]["Quota"];
            effective_cost?: {
                at: components["schemas"]["UnixSeconds"];
                hours: number;
                is_measured: boolean;
                last_at: components["schemas"]["UnixSeconds"];
                requests: number;
                usd_per_million: number;
            };
            failed: number;
            failing_since?: components["schemas"]["UnixSeconds"];
            is_failing: boolean;
            keys_disabled: number;
            last_error?: {
                message: string;
                model: string;
                request_id: string;
                status: number;
                time: components["schemas"]["UnixSeconds"];
            };
            models?: {
                at: components["schemas"]["UnixSeconds"];
                error: string;
                fresh: string[];
                gone: string[];
            };
            ok: number;
            p95_ms?: number;
            periods: {
                failed: number;
                ok: number;
            }[];
            spent_today: components["schemas"]["Quota"];
            tests: {
                at: components["schemas"]["UnixSeconds"];
                /** @enum {string} */
                capability: "chat" | "stream" | "tools" | "embeddings" | "image" | "rerank" | "moderation" | "list";
                key?: string;
                message: string;
                model: string;
                ok: boolean;
                status: number;
                time_ms: number;
            }[];
        };
        ChannelKey: {
            added_at: components["schemas"]["UnixSeconds"];
            balance?: {
                amount: number | null;
                at: components["schemas"]["UnixSeconds"];
                detail: string;
            };
            expires_at: components["schemas"]["UnixSeconds"];
            key_id: string;
            reason: string;
            replaced_by: string;
            /** @enum {string} */
            state: "enabled" | "draining" | "disabled" | "auto-disabled" | "expired";
            status: number;
            tail: string;
            time: components["schemas"]["UnixSeconds"];
        };
        Charge: {
            card_above?: number;
            charge: components["schemas"]["Quota"];
            lines: components["schemas"]["LineItem"][];
        };
        CheckedBudget: {
            amount: components["schemas"]["Quota"];
            end: components["schemas"]["UnixSeconds"];
            held: components["schemas"]["Quota"];
            id: number;
            passes: boolean;
            /** @enum {string} */
            scope: "token" | "user" | "group" | "project" | "member";
            spent: components["schemas"]["Quota"];
            /** @enum {string} */
            window: "5h" | "day" | "week" | "month" | "total";
        };
        CheckedLimit: {
            /** @enum {string} */
            by: "requests" | "tokens" | "concurrency" | "total" | "success";
            left: number;
            limit: number;
            name: string;
            /** @enum {string} */
            of: "user" | "token" | "group" | "model" | "channel";
            passes: boolean;
            used: number;
            wait_ms: components["schemas"]["Millis"];
            window_ms: components["schemas"]["Millis"];
        };
        ClientDisconnect: {
            is_capped: boolean;
            left_ms: components["schemas"]["Millis"];
            /** @enum {string} */
            policy: "cancel" | "drain";
        };
        ComingPrice: {
            at: components["schemas"]["UnixSeconds"];
            audio_cache_ratio?: components["schemas"]["Ratio"];
            audio_completion_ratio?: components["schemas"]["Ratio"];
            audio_ratio?: components["schemas"]["Ratio"];
            cache_creation_1h_ratio?: components["schemas"]["Ratio"];
            cache_creation_ratio?: components["schemas"]["Ratio"];
            cache_ratio?: components["schemas"]["Ratio"];
            completion_ratio: components["schemas"]["Ratio"];
            image_cache_ratio?: components["schemas"]["Ratio"];
            image_completion_ratio?: components["schemas"]["Ratio"];
            image_ratio?: components["schemas"]["Ratio"];
            /** @constant */
            is_unpriced?: true;
            model_price: number;
            model_ratio: components["schemas"]["Ratio"];
            per_seconds?: number;
            price_cards?: components["schemas"]["QuoteCard"][];
            price_hours?: components["schemas"]["PriceWindow"][];
            quota_type: number;
            reasoning_ratio?: components["schemas"]["Ratio"];
            /** @enum {string} */
            unit?: "character" | "second";
            video_ratio?: components["schemas"]["Ratio"];
        };
        ConfigChange: {
            /** @enum {string} */
            action: "create" | "update" | "remove";
            dollars?: components["schemas"]["PriceLine"][];
            fields: components["schemas"]["ConfigField"][];
            key_file?: string;
            /** @enum {string} */
            kind: "option" | "group" | "price" | "channel" | "organisation" | "project" | "token" | "budget";
            name: string;
            version: string;
        };
        ConfigField: {
            after?: unknown;
            before?: unknown;
            field: string;
            is_drift: boolean;
            is_secret: boolean;
        };
        ConfigPlan: {
            changes: components["schemas"]["ConfigChange"][];
            keys?: {
                key: string;
                name: string;
            }[];
            left: {
                /** @enum {string} */
                kind: "option" | "group" | "price" | "channel" | "organisation" | "project" | "token" | "budget";
                name: string;
            }[];
            named: number;
            prices?: components["schemas"]["PriceTexts"];
            problems: components["schemas"]["ConfigProblem"][];
        };
        ConfigProblem: {
            file: string;
            message: string;
            path: (string | number)[];
        };
        ConfigSource: {
            files: {
                content: string;
                path: string;
            }[];
            /** @default default */
            owner?: string;
            /**
             * @default none
             * @enum {string}
             */
            prune?: "none" | "owned" | "all";
            secrets: {
                [key: string]: string;
            };
            /** @default false */
            without_secrets?: boolean;
        };
        Dollars: string;
        DrawingTask: {
            action: string;
            buttons: string;
            channel_id: number;
            code: number;
            created_at: components["schemas"]["UnixMillis"];
            description: string;
            fail_reason: string;
            finish_time: components["schemas"]["UnixMillis"];
            id: number;
            image_url: string;
            media: components["schemas"]["TaskMedia"][];
            mj_id: string;
            progress: string;
            prompt: string;
            prompt_en: string;
            properties: string;
            quota: components["schemas"]["Quota"];
            request_id: string;
            start_time: components["schemas"]["UnixMillis"];
            state: string;
            status: string;
            submit_time: components["schemas"]["UnixMillis"];
            user_id: number;
        };
        EffectiveCost: {
            cached_share: number;
            channel_id: number;
            channel_name: string;
            cost_ratio: number;
            failures_per_request: number;
            is_measured: boolean;
            last_at: components["schemas"]["UnixSeconds"];
            list_usd_per_million: number | null;
            model: string;
            output_share: number;
            requests: number;
            usd_per_million: number | null;
            wasted_share: number;
        };
        EffectiveCosts: {
            is_cut: boolean;
            rows: components["schemas"]["EffectiveCost"][];
            since: components["schemas"]["UnixSeconds"];
            until: components["schemas"]["UnixSeconds"];
        };
        /** @enum {string} */
        EndedBy: "complete" | "client-disconnected" | "upstream-failed" | "gateway-failed" | "reaper";
        ErrorParams: {
            [key: string]: string | number | components["schemas"]["Word"];
        };
        EventDelivery: {
            attempts: number;
            created_at: components["schemas"]["UnixSeconds"];
            due_at: components["schemas"]["UnixSeconds"];
            ended_at: components["schemas"]["UnixSeconds"];
            error: string;
            event_id: string;
            id: number;
            /** @enum {string} */
            state: "waiting" | "sent" | "dead";
            type: string;
        };
        ExplainedBudget: {
            /** @enum {string} */
            action: "refuse" | "warn";
            amount: components["schemas"]["Quota"];
            end?: components["schemas"]["UnixSeconds"];
            held: components["schemas"]["Quota"];
            id: number;
            /** @enum {string} */
            scope: "token" | "user" | "group" | "project" | "member";
            spent: components["schemas"]["Quota"];
            start: components["schemas"]["UnixSeconds"];
            took: components["schemas"]["Quota"];
            /** @enum {string} */
            window: "5h" | "day" | "week" | "month" | "total";
        };
        Explanation: {
            attempts: components["schemas"]["Attempt"][];
            bodies?: components["schemas"]["HashedBodies"];
            budgets?: components["schemas"]["ExplainedBudget"][];
            candidates: components["schemas"]["CandidateResult"][];
            /** @default 0 */
            candidates_cut: number;
            choice?: components["schemas"]["RecordedChoice"];
            client: {
                ip: string;
                method: string;
                path: string;
                user_agent: string;
            };
            client_disconnect?: components["schemas"]["ClientDisconnect"];
            fallback?: components["schemas"]["ModelFallback"];
            /** @default false */
            is_cut: boolean;
            raw_usage?: string | null;
            spendable_after_reserve?: components["schemas"]["Quota"] | null;
            steps: components["schemas"]["StepTime"][];
            token_held: components["schemas"]["Quota"];
            wallet_held: components["schemas"]["Quota"];
            /** @default [] */
            warnings: string[];
        };
        FailedJob: {
            attempts: number;
            failed_at: components["schemas"]["UnixSeconds"];
            id: string;
            name: string;
            payload: string;
            reason: string;
        };
        FailingChannel: {
            channel_id: number;
            channel_name: string;
        };
        FetchedInvoice: {
            /** @default {} */
            accounts?: {
                [key: string]: number;
            };
            /** @default  */
            address?: string;
            channel_ids: number[];
            /** Format: date */
            first_day: string;
            key: string;
            /** Format: date */
            last_day: string;
            name: string;
            time_zone: components["schemas"]["TimeZone"];
            /** @enum {string} */
            vendor: "openai" | "anthropic";
        };
        FirstRun: {
            channel: {
                id: number;
                model: string;
                name: string;
            } | null;
            priced_model: string | null;
            request: {
                created_at: number;
                id: number;
                model_name: string;
            } | null;
            tested_channel: {
                id: number;
                time_ms: number;
            } | null;
            token: {
                id: number;
                name: string;
            } | null;
            unpriced_models: string[];
        };
        ForecastRow: {
            first: components["schemas"]["CandidateResult"];
            group: string;
            model?: string;
            probabilities: number[];
            upstream_model: string;
        };
        HashedBodies: {
            answer: {
                bytes: number;
                is_cut: boolean;
                sha256: string;
            };
            request: {
                bytes: number;
                sha256: string;
            };
        };
        HealthProblem: {
            /** @enum {string} */
            code: "no-relay" | "no-worker" | "service-gone" | "versions-differ" | "disk-full" | "fence-closed" | "suspect-shards" | "posting-late" | "unsynced" | "check-differs" | "check-missing" | "channels-failing" | "breakers-open" | "jobs-failed" | "jobs-waiting" | "unpriced-models" | "output-unpriced" | "models-retire" | "unknown-end" | "unusable-usage" | "unknown-state" | "unclear-orders" | "roots-unreached" | "mail-unset" | "strays" | "connections" | "locks" | "long-transaction" | "replica-away" | "replica-behind" | "redis-memory" | "redis-evicts" | "redis-not-durable" | "redis-write-error" | "shards-closed" | "master-away" | "log-store-late" | "ledger-redis-memory" | "ledger-redis-evicts" | "ledger-redis-not-durable" | "ledger-redis-write-error" | "unread";
            /** @enum {string} */
            level: "bad" | "warning";
            values: {
                [key: string]: string | number;
            };
        };
        ImportCounts: {
            created: number;
            read: number;
            refused: number;
            same: number;
            skipped: number;
            updated: number;
        };
        ImportedChannel: {
            message: string;
            name: string;
            /** @enum {string} */
            result: "new" | "known" | "refused";
        };
        ImportItem: {
            at: string;
            code: string;
            detail: string;
            kind: string;
            name?: string;
            params?: components["schemas"]["ErrorParams"];
            quota?: number;
        };
        ImportResult: {
            is_stored: boolean;
            key: string;
            message: string;
        };
        ImportRow: {
            after: string;
            before: string;
            is_secret: boolean;
            key: string;
            message: string;
            /** @enum {string} */
            result: "changed" | "same" | "refused" | "unknown";
        };
        ImportRun: {
            failure: string;
            finished_at: components["schemas"]["UnixSeconds"];
            has_source: boolean;
            /** Format: uuid */
            id: string;
            is_dry_run: boolean;
            progress: {
                /** @enum {string} */
                kind: "users" | "channels" | "options" | "tokens" | "codes" | "orders" | "subscriptions" | "tasks" | "hours" | "logs";
                read: number;
                total: number;
            }[];
            source: string;
            started_at: components["schemas"]["UnixSeconds"];
            started_by: string;
            /** @enum {string} */
            state: "running" | "finished" | "failed" | "cancelled" | "interrupted";
            wishes: {
                /** @default [] */
                keep: string[];
                /** @default 0 */
                log_days: number;
                /**
                 * @default none
                 * @enum {string}
                 */
                merge: "none" | "rename" | "join";
                /** @default  */
                name: string;
                /** @default [] */
                only: ("users" | "channels" | "options" | "tokens" | "codes" | "orders" | "subscriptions" | "tasks" | "hours" | "logs")[];
                /** @default 0 */
                unlimited_as: number;
            };
        };
        ImportSum: {
            name: string;
            source: number;
            target: number;
        };
        IncidentForm: {
            groups: components["schemas"]["StatusGroupName"][];
            is_public: boolean;
            title: string;
        };
        IncidentUpdate: {
            created_at: components["schemas"]["UnixSeconds"];
            id: number;
            /** @enum {string} */
            state: "investigating" | "identified" | "monitoring" | "resolved";
            text: string;
        };
        IncidentUpdateForm: {
            /** @enum {string} */
            state: "investigating" | "identified" | "monitoring" | "resolved";
            text: string;
        };
        Invitation: {
            created_at: components["schemas"]["UnixSeconds"];
            email: string;
            expires_at: components["schemas"]["UnixSeconds"];
            id: number;
            invited_by: string;
            /** @enum {string} */
            role: "owner" | "admin" | "billing" | "developer" | "viewer";
        };
        InvoiceCause: {
            cached?: number;
            calls?: number;
            channel_id?: number;
            day?: string;
            hours?: number;
            input?: number;
            /** @enum {string} */
            kind: "charged-retries" | "aborted-streams" | "counted-here" | "price-change" | "price-differs" | "time-zone" | "bypassed" | "missing-at-vendor" | "not-billed-yet" | "other-channel" | "other-name" | "other-item" | "cache-share";
            model?: string;
            output?: number;
            ratio?: number;
        };
        InvoiceFile: {
            mapping?: components["schemas"]["InvoiceMappingInput"];
            name: string;
            text: string;
        };
        InvoiceLine: {
            causes: components["schemas"]["InvoiceCause"][];
            channel_id: number;
            day: string;
            differs: boolean;
            model: string;
            n: number;
            own: components["schemas"]["RecordedSums"] | null;
            vendor: components["schemas"]["InvoiceSums"] | null;
        };
        InvoiceMapping: {
            /** @enum {string} */
            amount_unit: "dollar" | "cent";
            columns: {
                /** @default [] */
                account: string[];
                /** @default [] */
                cache_write: string[];
                /** @default [] */
                cached: string[];
                /** @default [] */
                currency: string[];
                /** @default [] */
                day: string[];
                /** @default [] */
                dollars: string[];
                /** @default [] */
                input: string[];
                /** @default [] */
                item: string[];
                /** @default [] */
                model: string[];
                /** @default [] */
                output: string[];
                /** @default [] */
                quantity: string[];
                /** @default [] */
                requests: string[];
            };
            has_cached_in_input: boolean;
        };
        InvoiceMappingInput: {
            /** @enum {string} */
            amount_unit: "dollar" | "cent";
            columns: {
                /** @default [] */
                account?: string[];
                /** @default [] */
                cache_write?: string[];
                /** @default [] */
                cached?: string[];
                /** @default [] */
                currency?: string[];
                /** @default [] */
                day?: string[];
                /** @default [] */
                dollars?: string[];
                /** @default [] */
                input?: string[];
                /** @default [] */
                item?: string[];
                /** @default [] */
                model?: string[];
                /** @default [] */
                output?: string[];
                /** @default [] */
                quantity?: string[];
                /** @default [] */
                requests?: string[];
            };
            has_cached_in_input: boolean;
        };
        InvoicePreview: {
            accounts: string[];
            files: {
                columns: string[];
                is_remembered: boolean;
                mapping: components["schemas"]["InvoiceMapping"];
                name: string;
                rows: number;
                sample: string[][];
            }[];
            first_day: string;
            last_day: string;
            models: string[];
            problem_count: number;
            problems: components["schemas"]["InvoiceProblem"][];
            rows: number;
            total: components["schemas"]["InvoiceSums"];
        };
        InvoiceProblem: {
            file: string;
            line: number;
            /** @enum {string} */
            reason: "cells" | "quotes" | "json" | "empty" | "day" | "number" | "currency" | "model" | "columns" | "too-many";
            text: string;
        };
        InvoiceResult: {
            causes: {
                dollars: string;
                /** @enum {string} */
                kind: "charged-retries" | "aborted-streams" | "counted-here" | "price-change" | "price-differs" | "time-zone" | "bypassed" | "missing-at-vendor" | "not-billed-yet" | "other-channel" | "other-name" | "other-item" | "cache-share";
                lines: number;
            }[];
            differing: number;
            lines: number;
            logs_from: components["schemas"]["UnixSeconds"];
            margin: string | null;
            own: components["schemas"]["RecordedSums"];
            vendor: components["schemas"]["InvoiceSums"];
        };
        InvoiceSums: {
            cached: number | null;
            dollars: string | null;
            input: number | null;
            output: number | null;
            requests: number | null;
        };
        KeyRotation: {
            key: string;
            key_id: string;
            /** @default 24 */
            overlap_hours?: number;
        };
        KeysChange: {
            /** @enum {string} */
            action: "enable" | "disable" | "expire" | "delete";
            expires_at?: components["schemas"]["UnixSeconds"] | null;
            /** @default [] */
            key_ids?: string[];
            /** @default  */
            reason?: string;
        };
        KnownPriceChange: {
            at: components["schemas"]["UnixSeconds"];
            lines: components["schemas"]["PriceChangeLine"][];
            /** @enum {string} */
            origin: "schedule" | "catalogue";
        };
        LedgerFacts: {
            closed_shards: number;
            is_open: boolean;
            lag_events: number;
            lag_seconds: number;
            last_check: {
                differences: number;
                is_sound: boolean;
                started_at: components["schemas"]["UnixSeconds"];
            } | null;
            open_holds: number;
            suspect_shards: number;
            unsynced: number;
        };
        LedgerMaster: {
            address: string;
            closed_shards: number;
            redis: components["schemas"]["RedisFacts"] | null;
            shards: number;
        };
        LedgerRepair: {
            created_at: components["schemas"]["UnixSeconds"];
            lost: number;
            missing: number;
            posted_n: number;
            reason: string;
            redis_n: number;
            resent: number;
            restored_n: number;
            shard: number;
        };
        LedgerReport: {
            checks: {
                check: string;
                compared: number;
                differences: number;
                first: string[];
                looked: number;
            }[];
            differences: number;
            duration_ms: components["schemas"]["Millis"];
            facts: {
                [key: string]: number;
            };
            id: number;
            is_sound: boolean;
            repairs: components["schemas"]["LedgerRepair"][];
            sample_one_in: number;
            skipped: string;
            /** @enum {string} */
            source: "job" | "command";
            started_at: components["schemas"]["UnixSeconds"];
        };
        LimitCheck: {
            budgets: components["schemas"]["CheckedBudget"][];
            group: string;
            limits: components["schemas"]["CheckedLimit"][];
            obstacle: ("user-disabled" | "token-disabled" | "token-expired" | "group-disabled" | "group-gone" | "model-refused" | "model-unknown" | "no-channel" | "prompt-too-long") | null;
            passes: boolean;
            tokens: number;
        };
        Limits: {
            concurrency?: number;
            rpm?: number;
            tpm?: number;
        };
        LineItem: {
            count?: number;
            factors: {
                name: string;
                value: string;
            }[];
            /** @enum {string} */
            kind: "input" | "cache-read" | "image-cache-read" | "audio-cache-read" | "cache-write" | "cache-write-1h" | "image-in" | "video-in" | "audio-in" | "characters" | "seconds" | "output" | "reasoning" | "image-out" | "audio-out" | "call" | "tool" | "rounding" | "minimum";
            label?: string;
            quota: string;
            tokens?: number;
        };
        Log: {
            channel: number;
            channel_name: string;
            completion_tokens: number;
            content: string;
            created_at: components["schemas"]["UnixSeconds"];
            group: string;
            id: number;
            is_stream: boolean;
            model_name: string;
            other: string;
            prompt_tokens: number;
            quota: components["schemas"]["Quota"];
            request_id: string;
            state: string;
            token_id: number;
            token_name: string;
            type: number;
            use_time: number;
            user_id: number;
            username: string;
        };
        LogArchive: {
            bytes: number;
            created_at: components["schemas"]["UnixSeconds"];
            error: string;
            finished_at: components["schemas"]["UnixSeconds"];
            month: components["schemas"]["ArchiveMonth"];
            objects: number;
            requested_by: string;
            restored_objects: number;
            rows: number;
            state: components["schemas"]["ArchiveState"];
        };
        LogArchives: {
            archives: components["schemas"]["LogArchive"][];
            months: components["schemas"]["ArchiveMonth"][];
        };
        LogClearing: {
            before: components["schemas"]["UnixSeconds"];
            created_at: components["schemas"]["UnixSeconds"];
            finished_at: components["schemas"]["UnixSeconds"];
            id: number;
            removed: number;
            requested_by: string;
            total: number;
        };
        LogExplanation: {
            charge: components["schemas"]["Charge"] | null;
            client_status: number | null;
            ended_by: components["schemas"]["EndedBy"] | null;
            explanation: components["schemas"]["Explanation"] | null;
            log: components["schemas"]["Log"];
            quote: components["schemas"]["Quote"] | null;
            session: string;
            task?: components["schemas"]["TaskChange"][];
            token_charge: components["schemas"]["Quota"] | null;
            usage: components["schemas"]["Usage"] | null;
        };
        LogHistogram: {
            from: components["schemas"]["UnixSeconds"];
            is_cut: boolean;
            seconds: number;
            steps: {
                at: components["schemas"]["UnixSeconds"];
                charged: number;
                failed: number;
                refused: number;
            }[];
            until: components["schemas"]["UnixSeconds"];
        };
        LoginBody: {
            /** @default  */
            password?: string;
            /** @default  */
            username?: string;
        };
        LogStat: {
            quota: components["schemas"]["Quota"];
            rpm: number;
            tpm: number;
        };
        LogStoreFacts: {
            waiting_rows: number;
            waiting_s: number;
        };
        ManagedRecord: {
            applied_at: components["schemas"]["UnixSeconds"];
            applied_by: string;
            /** @enum {string} */
            kind: "option" | "group" | "price" | "channel" | "organisation" | "project" | "token" | "budget";
            name: string;
            owner: string;
        };
        MappedClaim: {
            claim: string;
            /** @enum {string} */
            role: "owner" | "admin" | "billing" | "developer" | "viewer";
            value: string;
        };
        MappedClaimInput: {
            claim: string;
            /** @enum {string} */
            role: "owner" | "admin" | "billing" | "developer" | "viewer";
            value: string;
        };
        Member: {
            display_name: string;
            email: string;
            is_self: boolean;
            joined_at: components["schemas"]["UnixSeconds"];
            /** @enum {string} */
            role: "owner" | "admin" | "billing" | "developer" | "viewer";
            source: ("scim" | "oidc") | null;
            user_id: number;
            username: string;
        };
        Membership: {
            group: string;
            id: number;
            name: string;
            /** @enum {string} */
            needs_provider?: "" | "github" | "oidc" | "linuxdo" | "wechat" | "telegram";
            /** @enum {string} */
            role: "owner" | "admin" | "billing" | "developer" | "viewer";
        };
        Millis: number;
        ModelFallback: {
            asked: string;
            /** @enum {string} */
            by: "client" | "token" | "group" | "site";
            passed: {
                model: string;
                /** @enum {string} */
                reason: "failed" | "no-channel" | "unknown" | "unpriced" | "not-allowed" | "unsupported" | "hold" | "limit" | "conversation";
            }[];
        };
        ModelObject: {
            created: number;
            id: string;
            /** @constant */
            object: "model";
            owned_by: string;
            parent: string | null;
            permission: {
                [key: string]: unknown;
            }[];
            root: string;
        };
        ModelTokens: {
            audio_in?: components["schemas"]["TokenCount"];
            audio_out?: components["schemas"]["TokenCount"];
            cache_read?: components["schemas"]["TokenCount"];
            cache_read_audio?: components["schemas"]["TokenCount"];
            cache_read_image?: components["schemas"]["TokenCount"];
            cache_write?: components["schemas"]["TokenCount"];
            cache_write_1h?: components["schemas"]["TokenCount"];
            image_in?: components["schemas"]["TokenCount"];
            image_out?: components["schemas"]["TokenCount"];
            text_in?: components["schemas"]["TokenCount"];
            text_out?: components["schemas"]["TokenCount"];
            video_in?: components["schemas"]["TokenCount"];
        };
        MovableToken: {
            id: number;
            name: string;
            remain_quota: components["schemas"]["Quota"];
            unlimited_quota: boolean;
            used_quota: components["schemas"]["Quota"];
        };
        NewBudget: {
            /**
             * @default refuse
             * @enum {string}
             */
            action?: "refuse" | "warn";
            /**
             * @default [
             *       80,
             *       100
             *     ]
             */
            alert_percents?: number[];
            amount: number;
            /** @default  */
            group?: string;
            /** @default 0 */
            member_id?: number;
            /** @default 0 */
            project_id?: number;
            /** @default 1 */
            start_day?: number;
            /** @default UTC */
            time_zone?: components["schemas"]["TimeZone"];
            /** @default 0 */
            token_id?: number;
            /** @default 0 */
            user_id?: number;
            /** @enum {string} */
            window: "5h" | "day" | "week" | "month" | "total";
        };
        NewChannel: {
            auto_ban?: number | null;
            base_url?: string | null;
            channel?: {
                auto_ban?: number | null;
                base_url?: string | null;
                group?: string | null;
                key?: string | null;
                max_input_tokens?: number | null;
                model_mapping?: string | null;
                models?: string | null;
                name?: string | null;
                openai_organization?: string | null;
                other?: string | null;
                param_override?: string | null;
                priority?: number | null;
                setting?: string | null;
                status_code_mapping?: string | null;
                tag?: string | null;
                test_model?: string | null;
                /** @default 0 */
                type?: number;
                weight?: number | null;
            } | null;
            group?: string | null;
            key?: string | null;
            max_input_tokens?: number | null;
            mode?: string | null;
            model_mapping?: string | null;
            models?: string | null;
            multi_key_mode?: string | null;
            name?: string | null;
            openai_organization?: string | null;
            other?: string | null;
            param_override?: string | null;
            priority?: number | null;
            setting?: string | null;
            status_code_mapping?: string | null;
            tag?: string | null;
            test_model?: string | null;
            /** @default 0 */
            type?: number;
            weight?: number | null;
        };
        NewIncident: {
            groups: components["schemas"]["StatusGroupName"][];
            is_public: boolean;
            /** @enum {string} */
            state: "investigating" | "identified" | "monitoring" | "resolved";
            text: string;
            title: string;
        };
        NewInvoice: {
            /** @default {} */
            accounts?: {
                [key: string]: number;
            };
            channel_ids: number[];
            files: components["schemas"]["InvoiceFile"][];
            name: string;
            time_zone: components["schemas"]["TimeZone"];
            /** @enum {string} */
            vendor: "openai" | "anthropic" | "google" | "other";
        };
        NewKeys: {
            expires_at?: components["schemas"]["UnixSeconds"] | null;
            /** @default  */
            keys?: string;
            multi_key_mode?: string | null;
        };
        NewRedemptions: {
            /** @default 0 */
            count?: number;
            /** @default 0 */
            expired_time?: number;
            /** @default  */
            name?: string;
            /** @default 0 */
            quota?: components["schemas"]["Amount"];
        };
        NewToken: {
            allow_ips?: string | null;
            /** @default false */
            cross_group_retry?: boolean;
            /** @default -1 */
            expired_time?: number;
            fallback_models?: string | null;
            /** @default  */
            group?: string;
            limits?: components["schemas"]["Limits"] | null;
            /** @default  */
            model_limits?: string;
            /** @default false */
            model_limits_enabled?: boolean;
            /** @default  */
            name?: string;
            project_id?: number;
            /** @default false */
            receipt_hashes?: boolean;
            remain_quota?: components["schemas"]["Amount"] | null;
            /** @default false */
            telemetry_content?: boolean;
            /** @default false */
            unlimited_quota?: boolean;
        };
        NewUser: {
            display_name?: string | null;
            /** @default  */
            password?: string;
            role?: number;
            /** @default  */
            username?: string;
        };
        NoticeFacts: {
            by_mail: number;
            can_mail: boolean;
            unreached: string[];
        };
        OpenWork: {
            batches: number;
            responses: number;
            tasks: number;
        };
        OptionFile: {
            exported_at: number;
            /** @constant */
            format: "tollgate-options";
            options: {
                [key: string]: string;
            };
            secrets?: string;
            /** @constant */
            version: 1;
        };
        OptionNote: {
            is_changed: boolean;
            is_secret: boolean;
            is_set: boolean;
            key: string;
            updated_at: number;
            updated_by: string;
        };
        OptionRow: {
            key: string;
            value: string;
        };
        Organisation: {
            created_at: components["schemas"]["UnixSeconds"];
            group: string;
            id: number;
            /** @constant */
            is_managed?: true;
            members: number;
            name: string;
            projects: number;
            quota: components["schemas"]["Quota"];
            /** @enum {string} */
            role: "owner" | "admin" | "billing" | "developer" | "viewer";
            used_quota: components["schemas"]["Quota"];
        };
        OrganisationAccess: {
            claims: components["schemas"]["MappedClaim"][];
            domains: string[];
            maps_claims: boolean;
            providers: ("github" | "oidc" | "linuxdo" | "wechat" | "telegram")[];
            /** @enum {string} */
            provisioned_role: "owner" | "admin" | "billing" | "developer" | "viewer";
            scim_url: string;
            /** @enum {string} */
            sign_in_provider: "" | "github" | "oidc" | "linuxdo" | "wechat" | "telegram";
            signed_in_by: string;
        };
        OrganisationRow: {
            created_at: components["schemas"]["UnixSeconds"];
            group: string;
            id: number;
            /** @constant */
            is_managed?: true;
            members: number;
            name: string;
            owners: string[];
            quota: components["schemas"]["Quota"];
            status: number;
            used_quota: components["schemas"]["Quota"];
            username: string;
        };
        OutboxEntry: {
            attempts: number;
            /** @enum {string} */
            channel: "mail" | "webhook" | "event";
            created_at: components["schemas"]["UnixSeconds"];
            due_at: components["schemas"]["UnixSeconds"];
            ended_at: components["schemas"]["UnixSeconds"];
            error: string;
            id: number;
            /** @enum {string} */
            state: "waiting" | "sent" | "dead";
            target: string;
            /** @enum {string} */
            template: "verification" | "address-taken" | "reset" | "notification-code" | "password-changed" | "email-changed" | "alerts-moved" | "low-balance" | "channel-disabled" | "channel-enabled" | "channel-key-expires" | "channel-balance-low" | "new-device" | "spend-alert" | "budget-alert" | "payment-disputed" | "invitation" | "weekly-report" | "test" | "task" | "event";
            user_id: number;
        };
        OutsideResult: {
            detail: string;
            /** @enum {string} */
            outcome: "works" | "missing" | "unreachable" | "refused" | "unexpected";
            time_ms: number;
        };
        OwnInvitation: {
            expires_at: components["schemas"]["UnixSeconds"];
            id: number;
            invited_by: string;
            organisation: string;
            /** @enum {string} */
            role: "owner" | "admin" | "billing" | "developer" | "viewer";
        };
        OwnUser: {
            access_token: null;
            aff_code: string;
            aff_count: number;
            aff_history_quota: components["schemas"]["Quota"];
            aff_quota: components["schemas"]["Quota"];
            DeletedAt: string | null;
            display_name: string;
            email: string;
            github_id: string;
            group: string;
            has_access_token?: boolean;
            id: number;
            inviter_id: number;
            limits?: components["schemas"]["Limits"] | null;
            linux_do_id: string;
            oidc_id: string;
            password: string;
            quota: components["schemas"]["Quota"];
            request_count: number;
            role: number;
            setting: string;
            status: number;
            telegram_id: string;
            used_quota: components["schemas"]["Quota"];
            username: string;
            verification_code: string;
            wechat_id: string;
        };
        PartitionFacts: {
            first: string;
            has_strays: boolean;
            last: string;
            partitions: number;
            rows: number;
            size_bytes: number;
            table: string;
        };
        Passkey: {
            created_at: components["schemas"]["UnixSeconds"];
            id: number;
            last_used_at: components["schemas"]["UnixSeconds"];
            name: string;
        };
        PasskeyResponse: {
            id: string;
            rawId: string;
            response: {
                attestationObject?: string;
                authenticatorData?: string;
                clientDataJSON: string;
                signature?: string;
                transports?: string[];
                userHandle?: string | null;
            };
            /** @constant */
            type: "public-key";
        };
        PayAnswer: {
            data: {
                [key: string]: string;
            } | string;
            /** @enum {string} */
            message: "success" | "error";
            success?: boolean;
            url?: string;
        };
        PaymentInfo: {
            amounts: number[];
            discounts: {
                [key: string]: number;
            };
            group_ratio: number;
            methods: components["schemas"]["PaymentMethod"][];
        };
        PaymentMethod: {
            currency: string;
            method: string;
            min_amount: number;
            /** @enum {string} */
            provider: "epay" | "stripe";
            unit_price: number;
        };
        PaymentOrder: {
            amount: number;
            created_at: components["schemas"]["UnixSeconds"];
            currency: string;
            /** @enum {string} */
            dispute: "open" | "won" | "lost" | "";
            id: number;
            method: string;
            money: string;
            note: string;
            paid_at: components["schemas"]["UnixSeconds"];
            /** @enum {string} */
            provider: "epay" | "stripe";
            quota: components["schemas"]["Quota"];
            refunded: string;
            /** @enum {string} */
            status: "pending" | "paid" | "refunded" | "failed" | "expired";
            trade_no: string;
            user_id: number;
            username: string;
        };
        PaymentStatement: {
            detail: string;
            event_id: string;
            first_at: components["schemas"]["UnixSeconds"];
            kind: string;
            last_at: components["schemas"]["UnixSeconds"];
            outcome: string;
            received: number;
        };
        PlayableMedia: components["schemas"]["TaskMedia"][];
        PlaygroundBody: {
            channel?: number;
            /** @default  */
            group?: string;
            max_tokens?: number;
            /** @default [] */
            messages?: ({
                content: unknown;
                role: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @default  */
            model?: string;
            stream?: boolean;
            temperature?: number;
        } & {
            [key: string]: unknown;
        };
        PlaygroundImage: {
            channel?: number;
            /** @default  */
            group?: string;
            /** @default  */
            model?: string;
            /** @default 1 */
            n?: number;
            /** @default  */
            prompt?: string;
            /** @default  */
            quality?: string;
            /** @default  */
            size?: string;
        };
        PlaygroundSpeech: {
            channel?: number;
            /** @default  */
            group?: string;
            /** @default  */
            input?: string;
            /** @default  */
            model?: string;
            /**
             * @default mp3
             * @enum {string}
             */
            response_format?: "mp3" | "wav" | "opus" | "aac" | "flac";
            /** @default 1 */
            speed?: number;
            /** @default  */
            voice?: string;
        };
        PostgresFacts: {
            answer_ms: components["schemas"]["Millis"];
            connections: number;
            max_connections: number;
            oldest_transaction_s: number;
            replica?: {
                is_used: boolean;
                lag_ms: components["schemas"]["Millis"] | null;
            };
            size_bytes: number;
            started_at: components["schemas"]["UnixSeconds"];
            version: string;
            waiting: number;
        };
        PreviewedCall: {
            body: string;
            headers: {
                name: string;
                value: string;
            }[];
            url: string;
        };
        PriceChange: {
            at: components["schemas"]["UnixSeconds"];
            created_at: components["schemas"]["UnixSeconds"];
            created_by: string;
            finished_at: components["schemas"]["UnixSeconds"];
            id: number;
            message: string;
            patch: components["schemas"]["PricePatch"];
            price_version: number;
            /** @enum {string} */
            state: "waiting" | "applied" | "failed" | "cancelled";
        };
        PriceChangeLine: {
            after: number | null;
            before: number | null;
            /** @enum {string} */
            line: "input" | "output" | "reasoning" | "cache-read" | "cache-write" | "cache-write-1h" | "image-in" | "image-out" | "video-in" | "audio-in" | "audio-out" | "each";
        };
        PricedForecast: {
            allowed_attempts: number;
            attempts: number;
            coming_prices?: components["schemas"]["KnownPriceChange"][];
            group: string;
            groups: string[];
            is_cut: boolean;
            rows: components["schemas"]["ForecastRow"][];
        };
        PricedSample: {
            cached_tokens: number;
            charged: number;
            completion_tokens: number;
            formula: number | null;
            group: string;
            here: number | null;
            log: string;
            model: string;
            prompt_tokens: number;
        };
        PriceEdit: {
            after: unknown;
            before: unknown;
            /** @enum {string} */
            option: "ModelPrice" | "ModelRatio" | "CacheRatio" | "CompletionRatio" | "ReasoningRatio" | "CreateCacheRatio" | "CreateCacheRatio1h" | "ImageRatio" | "ImageCacheRatio" | "ImageCompletionRatio" | "VideoRatio" | "AudioRatio" | "AudioCacheRatio" | "AudioCompletionRatio" | "PriceCards" | "TierRatio" | "PriceHours" | "tool_price_setting.prices" | "video_price_setting.units" | "GroupRatio" | "GroupGroupRatio" | "GroupModelRatio";
        };
        PriceEntries: {
            [key: string]: unknown;
        };
        PriceLine: {
            after?: number;
            before?: number;
            /** @enum {string} */
            line: "call" | "input" | "output" | "reasoning" | "cache-read" | "cache-write" | "cache-write-1h" | "image-in" | "image-out" | "video-in" | "audio-in" | "audio-out";
        };
        PriceLines: {
            audio_cache_read?: components["schemas"]["Dollars"];
            audio_in?: components["schemas"]["Dollars"];
            audio_out?: components["schemas"]["Dollars"];
            cache_read?: components["schemas"]["Dollars"];
            cache_write?: components["schemas"]["Dollars"];
            cache_write_1h?: components["schemas"]["Dollars"];
            image_cache_read?: components["schemas"]["Dollars"];
            image_in?: components["schemas"]["Dollars"];
            image_out?: components["schemas"]["Dollars"];
            input?: components["schemas"]["Dollars"];
            output?: components["schemas"]["Dollars"];
            reasoning?: components["schemas"]["Dollars"];
            video_in?: components["schemas"]["Dollars"];
        };
        PricePast: {
            at: components["schemas"]["UnixSeconds"];
            by_name: string;
            /** @enum {string} */
            cause: "edit" | "schedule" | "catalogue";
            edits: components["schemas"]["PriceEdit"][];
        };
        PricePatch: {
            [key: string]: {
                [key: string]: unknown;
            };
        };
        PriceQuote: {
            answers?: number;
            count?: number;
            group: string;
            group_model?: string;
            group_ratio: components["schemas"]["Ratio"];
            hours?: components["schemas"]["QuotedHours"];
            /** @constant */
            mode: "price";
            model: string;
            model_price: number;
            per_seconds?: number;
            price_version: number;
            quality?: string;
            quality_ratio?: components["schemas"]["Ratio"];
            quota_per_unit: number;
            seconds?: number;
            size?: string;
            size_ratio?: components["schemas"]["Ratio"];
            tiers?: {
                [key: string]: components["schemas"]["TierFactor"];
            };
            tools?: {
                [key: string]: components["schemas"]["ToolPrice"];
            };
            user_group?: string;
        };
        PriceRefresh: {
            applied: string[];
            checked_at: components["schemas"]["UnixSeconds"];
            date: string;
            message: string;
            source: string;
            waiting: components["schemas"]["WaitingPrice"][];
        };
        PriceReplay: {
            created_at: components["schemas"]["UnixSeconds"];
            done: number;
            finished_at: components["schemas"]["UnixSeconds"];
            id: number;
            requested_by: string;
            result: components["schemas"]["ReplayResult"] | null;
            since: components["schemas"]["UnixSeconds"];
            /** @enum {string} */
            state: "waiting" | "running" | "done" | "failed" | "cancelled";
            total: number;
            until: components["schemas"]["UnixSeconds"];
        };
        PriceRow: {
            completion_ratio: number | null;
            /** @enum {string} */
            from: "source" | "log" | "default" | "none";
            model: string;
            model_price: number | null;
            model_ratio: number | null;
        };
        PriceTexts: {
            [key: string]: string;
        };
        PriceWindow: {
            days?: number[];
            from: string;
            ratio: components["schemas"]["Ratio"] | {
                audio_cache_ratio?: components["schemas"]["Ratio"];
                audio_completion_ratio?: components["schemas"]["Ratio"];
                audio_ratio?: components["schemas"]["Ratio"];
                cache_creation_1h_ratio?: components["schemas"]["Ratio"];
                cache_creation_ratio?: components["schemas"]["Ratio"];
                cache_ratio?: components["schemas"]["Ratio"];
                completion_ratio?: components["schemas"]["Ratio"];
                image_cache_ratio?: components["schemas"]["Ratio"];
                image_completion_ratio?: components["schemas"]["Ratio"];
                image_ratio?: components["schemas"]["Ratio"];
                model_ratio: components["schemas"]["Ratio"];
                reasoning_ratio?: components["schemas"]["Ratio"];
                video_ratio?: components["schemas"]["Ratio"];
            };
            to: string;
        };
        PricingAnswer: {
            data: components["schemas"]["PricingRow"][];
            group_ratio: {
                [key: string]: components["schemas"]["Ratio"];
            };
            message: string;
            success: boolean;
            unpriced_models: components["schemas"]["UnpricedModel"][];
            usable_group: {
                [key: string]: string;
            };
        };
        PricingRow: {
            audio_cache_ratio?: components["schemas"]["Ratio"];
            audio_completion_ratio?: components["schemas"]["Ratio"];
            audio_ratio?: components["schemas"]["Ratio"];
            cache_creation_1h_ratio?: components["schemas"]["Ratio"];
            cache_creation_ratio?: components["schemas"]["Ratio"];
            cache_ratio?: components["schemas"]["Ratio"];
            coming?: components["schemas"]["ComingPrice"][];
            completion_ratio: components["schemas"]["Ratio"];
            enable_groups: string[];
            group_ratios?: {
                [key: string]: components["schemas"]["Ratio"];
            };
            image_cache_ratio?: components["schemas"]["Ratio"];
            image_completion_ratio?: components["schemas"]["Ratio"];
            image_ratio?: components["schemas"]["Ratio"];
            /** @constant */
            is_unpriced?: true;
            model_name: string;
            model_price: number;
            model_ratio: components["schemas"]["Ratio"];
            /** @constant */
            owner_by: "";
            per_seconds?: number;
            price_cards?: components["schemas"]["QuoteCard"][];
            price_hours?: components["schemas"]["PriceWindow"][];
            quota_type: number;
            reasoning_ratio?: components["schemas"]["Ratio"];
            retires?: string;
            successor?: string;
            supported_endpoint_types: ("openai" | "openai-response" | "anthropic" | "gemini" | "realtime" | "embeddings" | "jina-rerank" | "image-generation" | "audio-speech" | "audio-transcription" | "moderation")[];
            /** @enum {string} */
            unit?: "character" | "second";
            vendor: string;
            video_ratio?: components["schemas"]["Ratio"];
        };
        Project: {
            created_at: components["schemas"]["UnixSeconds"];
            id: number;
            /** @constant */
            is_managed?: true;
            name: string;
            tokens: number;
            used_quota: components["schemas"]["Quota"];
        };
        QueueFacts: {
            active: number;
            delayed: number;
            failed: number;
            queue: string;
            waiting: number;
        };
        Quota: number;
        QuotaAdjustment: {
            amount: components["schemas"]["Amount"];
            form_id?: string;
            /** @default 0 */
            id?: number;
            /** @default  */
            reason?: string;
        };
        Quote: components["schemas"]["RatioQuote"] | components["schemas"]["PriceQuote"];
        QuoteCard: {
            above: number;
            audio_cache_ratio?: components["schemas"]["Ratio"];
            audio_completion_ratio?: components["schemas"]["Ratio"];
            audio_ratio?: components["schemas"]["Ratio"];
            cache_creation_1h_ratio?: components["schemas"]["Ratio"];
            cache_creation_ratio?: components["schemas"]["Ratio"];
            cache_ratio?: components["schemas"]["Ratio"];
            completion_ratio?: components["schemas"]["Ratio"];
            image_cache_ratio?: components["schemas"]["Ratio"];
            image_completion_ratio?: components["schemas"]["Ratio"];
            image_ratio?: components["schemas"]["Ratio"];
            model_ratio: components["schemas"]["Ratio"];
            reasoning_ratio?: components["schemas"]["Ratio"];
            video_ratio?: components["schemas"]["Ratio"];
        };
        QuotedHours: {
            ratio?: components["schemas"]["TierFactor"];
            week_minute: number;
        };
        QuotedModel: {
            audio_cache_ratio?: components["schemas"]["Ratio"];
            audio_completion_ratio: components["schemas"]["Ratio"];
            audio_ratio: components["schemas"]["Ratio"];
            cache_creation_1h_ratio?: components["schemas"]["Ratio"];
            cache_creation_ratio: components["schemas"]["Ratio"];
            cache_ratio: components["schemas"]["Ratio"];
            cards?: components["schemas"]["QuoteCard"][];
            completion_ratio: components["schemas"]["Ratio"];
            image_cache_ratio?: components["schemas"]["Ratio"];
            image_completion_ratio?: components["schemas"]["Ratio"];
            image_ratio: components["schemas"]["Ratio"];
            model_ratio: components["schemas"]["Ratio"];
            reasoning_ratio?: components["schemas"]["Ratio"];
            video_ratio?: components["schemas"]["Ratio"];
        };
        Ratio: number;
        RatioQuote: {
            audio_cache_ratio?: components["schemas"]["Ratio"];
            audio_completion_ratio: components["schemas"]["Ratio"];
            audio_ratio: components["schemas"]["Ratio"];
            cache_creation_1h_ratio?: components["schemas"]["Ratio"];
            cache_creation_ratio: components["schemas"]["Ratio"];
            cache_ratio: components["schemas"]["Ratio"];
            cards?: components["schemas"]["QuoteCard"][];
            completion_ratio: components["schemas"]["Ratio"];
            group: string;
            group_model?: string;
            group_ratio: components["schemas"]["Ratio"];
            hours?: components["schemas"]["QuotedHours"];
            image_cache_ratio?: components["schemas"]["Ratio"];
            image_completion_ratio?: components["schemas"]["Ratio"];
            image_ratio: components["schemas"]["Ratio"];
            is_unpriced: boolean;
            /** @constant */
            mode: "ratio";
            model: string;
            model_ratio: components["schemas"]["Ratio"];
            others?: {
                [key: string]: components["schemas"]["QuotedModel"];
            };
            price_version: number;
            quota_per_unit: number;
            reasoning_ratio?: components["schemas"]["Ratio"];
            /** @enum {string} */
            speech?: "character" | "token";
            tiers?: {
                [key: string]: components["schemas"]["TierFactor"];
            };
            tools?: {
                [key: string]: components["schemas"]["ToolPrice"];
            };
            user_group?: string;
            video_ratio?: components["schemas"]["Ratio"];
        };
        Receipt: {
            bodies?: {
                answer: {
                    bytes: string;
                    is_cut: boolean;
                    sha256: string;
                };
                request: {
                    bytes: string;
                    sha256: string;
                };
            };
            booked_at: string;
            charge: {
                quota: string;
                quota_per_usd: string;
                usd: string;
            };
            corrects: string | null;
            group: string;
            id: string;
            iss: string;
            /** @enum {string} */
            kind: "charge" | "correction" | "refund";
            lines: unknown;
            model: string;
            price: unknown;
            request_id: string;
            token: {
                id: string;
                name: string;
            };
            usage: unknown;
            user: {
                id: string;
                name: string;
            };
            /** @constant */
            v: "1";
        };
        ReceiptJwk: {
            /** @constant */
            crv: "Ed25519";
            kid: string;
            /** @constant */
            kty: "OKP";
            /** @constant */
            use: "sig";
            x: string;
        };
        ReceiptKeySet: {
            keys: components["schemas"]["ReceiptJwk"][];
        };
        ReceiptKeyState: {
            created_at: components["schemas"]["UnixSeconds"];
            kid: string;
            retired_at: components["schemas"]["UnixSeconds"];
        };
        RecordedChoice: {
            affinity_key?: number;
            draws: components["schemas"]["RecordedDraw"][];
            /** @constant */
            exact_weights?: true;
            region?: string;
            rest?: number[];
            seed: number;
        };
        RecordedDraw: {
            bases?: string;
            figures?: (number | null)[];
            group?: string;
            ids?: number[];
            key_count?: number;
            keys?: string[];
            left: number;
            model?: string;
            n?: number;
            /** @constant */
            needs_usable?: true;
            pauses?: number[];
            regions?: string[];
            states: string;
            /** @enum {string} */
            strategy?: "weight" | "latency" | "price" | "effective-cost";
            turn?: number;
        };
        RecordedSums: {
            cached: number;
            charged: string;
            dollars: string;
            input: number;
            output: number;
            requests: number;
        };
        Redemption: {
            count: number;
            created_time: components["schemas"]["UnixSeconds"];
            DeletedAt: string | null;
            expired_time: components["schemas"]["UnixSeconds"];
            id: number;
            key: string;
            name: string;
            quota: components["schemas"]["Quota"];
            redeemed_time: components["schemas"]["UnixSeconds"];
            status: number;
            used_user_id: number;
            user_id: number;
        };
        RedemptionChange: {
            expired_time?: number;
            /** @default 0 */
            id?: number;
            name?: string;
            quota?: components["schemas"]["Amount"];
            status?: number;
            was?: components["schemas"]["SeenRow"];
        };
        RedisFacts: {
            answer_ms: components["schemas"]["Millis"];
            clients: number;
            commands_per_second: number;
            evicted_keys: number;
            eviction: string;
            has_write_error: boolean;
            is_durable: boolean;
            max_memory_bytes: number;
            memory_bytes: number;
            started_at: components["schemas"]["UnixSeconds"];
            version: string;
        };
        Refusal: {
            /** @description What a program needs to go on */
            data?: {
                [key: string]: unknown;
            };
            /** @description The field of the body that is wrong */
            field?: string;
            /** @description For people, in the language of Accept-Language */
            message: string;
            /** @constant */
            success: false;
        };
        RefusalStat: {
            listed: number;
            reasons: {
                listed: number;
                reason: string;
                seen: number;
            }[];
            seen: number;
            /** @enum {string} */
            unit: "minute" | "hour";
        };
        RegisterBody: {
            aff_code?: string | null;
            email?: string | null;
            /** @default  */
            password?: string;
            /** @default  */
            username?: string;
            verification_code?: string | null;
        };
        Release: {
            is_newer: boolean;
            notes: string;
            url: string;
            version: string;
        };
        ReplayLine: {
            after: components["schemas"]["Quota"];
            before: components["schemas"]["Quota"];
            name: string;
            requests: number;
        };
        ReplayResult: {
            after: components["schemas"]["Quota"];
            before: components["schemas"]["Quota"];
            charges?: number;
            groups?: components["schemas"]["ReplayLine"][];
            models: components["schemas"]["ReplayLine"][];
            more_groups?: number;
            more_models: number;
            more_users: number;
            requests: number;
            unpriced: {
                before: components["schemas"]["Quota"];
                requests: number;
            };
            users: components["schemas"]["ReplayLine"][];
        };
        RoutingQuestion: {
            /**
             * @default openai-chat
             * @enum {string}
             */
            call?: "openai-chat" | "openai-responses" | "anthropic-messages" | "gemini" | "openai-completions" | "openai-embeddings" | "gemini-embeddings" | "openai-images" | "openai-image-edits" | "openai-image-edits-json" | "openai-speech" | "openai-transcriptions" | "openai-moderations" | "rerank";
            /** @default  */
            conversation?: string;
            /** @default  */
            group?: string;
            model: string;
            /** @default  */
            region?: string;
            /** @default  */
            session?: string;
            /** @default 0 */
            token_id?: number;
        };
        /** @enum {string} */
        RunKind: "test" | "balance" | "models";
        SamplingTokens: {
            audio_in?: components["schemas"]["TokenCount"];
            audio_out?: components["schemas"]["TokenCount"];
            cache_read?: components["schemas"]["TokenCount"];
            cache_read_audio?: components["schemas"]["TokenCount"];
            cache_read_image?: components["schemas"]["TokenCount"];
            cache_write?: components["schemas"]["TokenCount"];
            cache_write_1h?: components["schemas"]["TokenCount"];
            image_in?: components["schemas"]["TokenCount"];
            image_out?: components["schemas"]["TokenCount"];
            model?: string;
            text_in?: components["schemas"]["TokenCount"];
            text_out?: components["schemas"]["TokenCount"];
            video_in?: components["schemas"]["TokenCount"];
        };
        ScimGroup: {
            id: string;
            members: number;
            name: string;
            role: ("owner" | "admin" | "billing" | "developer" | "viewer") | null;
        };
        ScimPerson: {
            email: string;
            id: string;
            /** @enum {string} */
            state: "member" | "waiting" | "inactive";
            user_name: string;
            username: string;
        };
        ScimToken: {
            created_at: components["schemas"]["UnixSeconds"];
            created_by: string;
            expires_at: components["schemas"]["UnixSeconds"];
            id: number;
            name: string;
            used_at: components["schemas"]["UnixSeconds"];
        };
        SeenRow: {
            [key: string]: (string | number | boolean | null) | (string | number | boolean | null)[] | {
                [key: string]: string | number | boolean | null;
            };
        };
        SeenService: {
            disk_free_bytes: number;
            disk_total_bytes: number;
            host: string;
            id: string;
            is_running: boolean;
            memory_bytes: number;
            pid: number;
            seen_at: components["schemas"]["UnixSeconds"];
            /** @enum {string} */
            service: "relay" | "control-plane" | "worker";
            started_at: components["schemas"]["UnixSeconds"];
            version: string;
        };
        SelfChange: {
            display_name?: string | null;
            original_password?: string | null;
            password?: string | null;
            username?: string | null;
        };
        Session: {
            created_at: components["schemas"]["UnixSeconds"];
            id: string;
            ip: string;
            is_current: boolean;
            user_agent: string;
        };
        SettingChange: {
            accept_unset_model_ratio_model?: boolean;
            notification_code?: string;
            notification_email?: string;
            notify_type?: string;
            quota_warning_threshold?: number;
            webhook_secret?: string;
            webhook_url?: string;
            weekly_report?: boolean;
        };
        SetupBody: {
            code?: string;
            /** @default  */
            confirmPassword?: string;
            /** @default false */
            DemoSiteEnabled?: boolean;
            /** @default  */
            password?: string;
            /** @default false */
            SelfUseModeEnabled?: boolean;
            /** @default  */
            username?: string;
        };
        SetupStatus: {
            database_type: string;
            needs_code: boolean;
            root_init: boolean;
            status: boolean;
        };
        ShownReport: {
            changed: {
                code: string;
                count: number;
                items: components["schemas"]["ImportItem"][];
            }[];
            counts: {
                channels: components["schemas"]["ImportCounts"];
                codes: components["schemas"]["ImportCounts"];
                hours: components["schemas"]["ImportCounts"];
                logs: components["schemas"]["ImportCounts"];
                options: components["schemas"]["ImportCounts"];
                orders: components["schemas"]["ImportCounts"];
                subscriptions: components["schemas"]["ImportCounts"];
                tasks: components["schemas"]["ImportCounts"];
                tokens: components["schemas"]["ImportCounts"];
                users: components["schemas"]["ImportCounts"];
            };
            decisions: {
                code: string;
                count: number;
                items: components["schemas"]["ImportItem"][];
            }[];
            /** @enum {string} */
            family: "new-api" | "one-api" | "litellm";
            finished_at: number;
            /** @constant */
            format: "tollgate-import";
            generation: string;
            is_complete: boolean;
            is_dry_run: boolean;
            name: string;
            prices: components["schemas"]["PriceRow"][];
            /** @default 500000 */
            quota_per_unit: number;
            refused: {
                code: string;
                count: number;
                items: components["schemas"]["ImportItem"][];
            }[];
            samples: {
                compared: number;
                different: components["schemas"]["PricedSample"][];
                equal: number;
            };
            started_at: number;
            /** @enum {string} */
            store: "sqlite" | "postgres" | "mysql" | "yaml";
            sums: components["schemas"]["ImportSum"][];
            /** @constant */
            version: 1;
        };
        ShownRun: {
            capability: components["schemas"]["TestCapability"];
            done: number;
            finished_at: components["schemas"]["UnixSeconds"];
            id: string;
            is_cancelled: boolean;
            kind: components["schemas"]["RunKind"];
            results: {
                balance?: number;
                /** @enum {string} */
                change?: "disabled" | "enabled" | "key-disabled";
                channel_id: number;
                fresh?: string[];
                gone?: string[];
                has_no_balance?: boolean;
                key?: string;
                message: string;
                model?: string;
                name: string;
                ok: boolean;
                /** @enum {string} */
                skipped?: "disabled" | "auto-disabled";
                status: number;
                time_ms?: number;
            }[];
            started_at: components["schemas"]["UnixSeconds"];
            total: number;
        };
        SignedReceipt: {
            jws: string;
            receipt: components["schemas"]["Receipt"];
        };
        SiteStatus: {
            chats: {
                [key: string]: string;
            }[];
            data_export_default_time: string;
            default_collapse_sidebar: boolean;
            demo_site_enabled: boolean;
            display_in_currency: boolean;
            docs_link: string;
            email_verification: boolean;
            enable_batch_update: boolean;
            enable_data_export: boolean;
            enable_drawing: boolean;
            enable_online_topup: boolean;
            enable_task: boolean;
            footer_html: string;
            github_client_id: string;
            github_oauth: boolean;
            image_hosts: string[];
            linuxdo_client_id: string;
            linuxdo_oauth: boolean;
            logo: string;
            min_topup: number;
            mj_notify_enabled: boolean;
            oidc_authorization_endpoint: string;
            oidc_client_id: string;
            oidc_enabled: boolean;
            price: number;
            quota_per_unit: number;
            quota_remind_threshold: number;
            self_use_mode_enabled: boolean;
            server_address: string;
            setup: boolean;
            start_time: components["schemas"]["UnixSeconds"];
            system_name: string;
            telegram_bot_name: string;
            telegram_oauth: boolean;
            top_up_link: string;
            turnstile_check: boolean;
            turnstile_site_key: string;
            version: string;
            wechat_login: boolean;
            wechat_qrcode: string;
        };
        SpendAlert: {
            id: number;
            notified_at: components["schemas"]["UnixSeconds"];
            /** @enum {string} */
            period: "day" | "week" | "month";
            spent: components["schemas"]["Quota"];
            threshold: components["schemas"]["Quota"];
            token_id: number;
            token_name: string;
            told_at: components["schemas"]["UnixSeconds"];
        };
        SpendAlertChange: {
            /** @enum {string} */
            period: "day" | "week" | "month";
            threshold: components["schemas"]["Amount"];
            /** @default 0 */
            token_id?: number;
        };
        Spending: {
            id: number;
            name: string;
            quota: components["schemas"]["Quota"];
            requests: number;
            tokens: number;
        };
        Statement: {
            closing: components["schemas"]["Quota"];
            is_cut: boolean;
            lines: components["schemas"]["StatementLine"][];
            month: string;
            opening: components["schemas"]["Quota"];
            projects?: {
                id: number;
                name: string;
                quota: components["schemas"]["Quota"];
                requests: number;
            }[];
        };
        StatementLine: {
            amount: components["schemas"]["Quota"];
            at: components["schemas"]["UnixSeconds"];
            balance: components["schemas"]["Quota"];
            /** @enum {string} */
            kind: "opening" | "sign-up" | "invitee" | "inviter" | "redemption" | "top-up" | "admin" | "transfer" | "refund" | "import" | "usage";
            note: string;
            reference: string;
            requests: number;
        };
        StatusGroupName: string;
        StatusIncident: {
            cause: string;
            changed_at: components["schemas"]["UnixSeconds"];
            groups: string[];
            id: number;
            is_public: boolean;
            resolved_at: components["schemas"]["UnixSeconds"];
            started_at: components["schemas"]["UnixSeconds"];
            /** @enum {string} */
            state: "investigating" | "identified" | "monitoring" | "resolved";
            title: string;
            updates: components["schemas"]["IncidentUpdate"][];
        };
        StatusIncidents: {
            groups: string[];
            incidents: components["schemas"]["StatusIncident"][];
            is_on: boolean;
        };
        StepTime: {
            ended_ms: components["schemas"]["Millis"];
            started_ms: components["schemas"]["Millis"];
            /** @enum {string} */
            step: "identify" | "read" | "admit" | "quote" | "reserve" | "dispatch" | "deliver" | "settle";
        };
        Subscription: {
            access_until: number;
            hard_limit_usd: number;
            has_payment_method: boolean;
            /** @constant */
            object: "billing_subscription";
            soft_limit_usd: number;
            system_hard_limit_usd: number;
        };
        SystemHealth: {
            breakers: components["schemas"]["BreakerFacts"][] | null;
            failing: components["schemas"]["FailingChannel"][] | null;
            ledger: components["schemas"]["LedgerFacts"] | null;
            ledger_masters?: components["schemas"]["LedgerMaster"][] | null;
            ledger_redis?: components["schemas"]["RedisFacts"] | null;
            log_store?: components["schemas"]["LogStoreFacts"] | null;
            notices: components["schemas"]["NoticeFacts"] | null;
            partitions: components["schemas"]["PartitionFacts"][] | null;
            postgres: components["schemas"]["PostgresFacts"] | null;
            problems: components["schemas"]["HealthProblem"][];
            queues: components["schemas"]["QueueFacts"][] | null;
            read_at: components["schemas"]["UnixSeconds"];
            redis: components["schemas"]["RedisFacts"] | null;
            services: components["schemas"]["SeenService"][] | null;
            sold: {
                retiring: {
                    model: string;
                    retires: string;
                    successor: string;
                }[];
                without_output: string[];
            } | null;
            unexpected_answers: components["schemas"]["UnexpectedAnswerFacts"][] | null;
            unpriced: string[] | null;
        };
        TagChange: {
            groups?: string | null;
            model_mapping?: string | null;
            models?: string | null;
            new_tag?: string | null;
            priority?: number | null;
            /** @default  */
            tag?: string;
            was?: components["schemas"]["SeenRow"];
            weight?: number | null;
        };
        Task: {
            action: string;
            channel_id: number;
            created_at: components["schemas"]["UnixSeconds"];
            data: unknown;
            fail_reason: string;
            finish_time: components["schemas"]["UnixSeconds"];
            id: number;
            media: components["schemas"]["TaskMedia"][];
            platform: string;
            progress: string;
            properties: {
                [key: string]: unknown;
            };
            quota: components["schemas"]["Quota"];
            request_id: string;
            start_time: components["schemas"]["UnixSeconds"];
            status: string;
            submit_time: components["schemas"]["UnixSeconds"];
            task_id: string;
            updated_at: components["schemas"]["UnixSeconds"];
            user_id: number;
        };
        TaskChange: {
            at: components["schemas"]["UnixMillis"];
            progress: string;
            quota: components["schemas"]["Quota"];
            /** @enum {string} */
            source: "submit" | "posting" | "poll" | "webhook" | "deadline";
            /** @enum {string} */
            state: "not_started" | "submitted" | "queued" | "in_progress" | "unknown" | "success" | "failure" | "expired";
        };
        TaskMedia: {
            /** @enum {string} */
            kind: "image" | "video" | "audio";
            title?: string;
            url: string;
        };
        /** @enum {string} */
        TestCapability: "auto" | "chat" | "stream" | "tools" | "embeddings" | "image";
        TierFactor: components["schemas"]["Ratio"] | {
            audio_cache_ratio?: components["schemas"]["Ratio"];
            audio_completion_ratio?: components["schemas"]["Ratio"];
            audio_ratio?: components["schemas"]["Ratio"];
            cache_creation_1h_ratio?: components["schemas"]["Ratio"];
            cache_creation_ratio?: components["schemas"]["Ratio"];
            cache_ratio?: components["schemas"]["Ratio"];
            completion_ratio?: components["schemas"]["Ratio"];
            image_cache_ratio?: components["schemas"]["Ratio"];
            image_completion_ratio?: components["schemas"]["Ratio"];
            image_ratio?: components["schemas"]["Ratio"];
            model_ratio: components["schemas"]["Ratio"];
            reasoning_ratio?: components["schemas"]["Ratio"];
            video_ratio?: components["schemas"]["Ratio"];
        };
        TimeZone: string;
        Token: {
            accessed_time: components["schemas"]["UnixSeconds"];
            allow_ips: string;
            created_by?: number;
            created_time: components["schemas"]["UnixSeconds"];
            cross_group_retry: boolean;
            DeletedAt: string | null;
            expired_time: components["schemas"]["UnixSeconds"];
            fallback_models: string | null;
            group: string;
            id: number;
            /** @constant */
            is_managed?: true;
            is_own?: boolean;
            key: string;
            limits: components["schemas"]["Limits"] | null;
            model_limits: string;
            model_limits_enabled: boolean;
            name: string;
            project_id?: number;
            receipt_hashes: boolean;
            remain_quota: components["schemas"]["Quota"];
            status: number;
            telemetry_content: boolean;
            unlimited_quota: boolean;
            used_quota: components["schemas"]["Quota"];
            user_id: number;
        };
        TokenChange: {
            allow_ips?: string | null;
            cross_group_retry?: boolean;
            expired_time?: number;
            fallback_models?: string | null;
            form_id?: string;
            group?: string;
            /** @default 0 */
            id?: number;
            limits?: components["schemas"]["Limits"] | null;
            model_limits?: string;
            model_limits_enabled?: boolean;
            name?: string;
            project_id?: number;
            receipt_hashes?: boolean;
            remain_quota?: components["schemas"]["Amount"] | null;
            remain_quota_before?: components["schemas"]["Amount"];
            status?: number;
            telemetry_content?: boolean;
            unlimited_quota?: boolean;
            was?: components["schemas"]["SeenRow"];
        };
        TokenCount: number;
        TokenUsage: {
            /** @constant */
            code: true;
            data: {
                expires_at: number;
                model_limits: {
                    [key: string]: true;
                };
                model_limits_enabled: boolean;
                name: string;
                /** @constant */
                object: "token_usage";
                total_available: number;
                total_granted: number;
                total_used: number;
                unlimited_quota: boolean;
            };
            /** @constant */
            message: "ok";
        };
        ToolPrice: {
            at_least?: number;
            price: number;
            variant?: string;
        };
        TwoFactorState: {
            has_password: boolean;
            is_on: boolean;
            is_required: boolean;
            passkeys: components["schemas"]["Passkey"][];
            recovery_codes_left: number;
        };
        UnexpectedAnswerFacts: {
            at: number;
            channel_id: number;
            channel_name: string;
            count: number;
            /** @enum {string} */
            kind: "unknown-end" | "usage" | "unknown-state" | "unclear-order";
            model: string;
            request_id: string;
            word: string;
        };
        UnixMillis: number;
        UnixSeconds: number;
        UnpricedModel: {
            enable_groups: string[];
            model_name: string;
            supported_endpoint_types: ("openai" | "openai-response" | "anthropic" | "gemini" | "realtime" | "embeddings" | "jina-rerank" | "image-generation" | "audio-speech" | "audio-transcription" | "moderation")[];
            vendor: string;
        };
        UsableGroups: {
            [key: string]: {
                desc: string;
                ratio: components["schemas"]["Ratio"];
            };
        };
        Usage: {
            answers?: number;
            audio_in: components["schemas"]["TokenCount"];
            audio_out: components["schemas"]["TokenCount"];
            by_model?: {
                [key: string]: components["schemas"]["ModelTokens"];
            };
            cache_read: components["schemas"]["TokenCount"];
            cache_read_audio?: components["schemas"]["TokenCount"];
            cache_read_image?: components["schemas"]["TokenCount"];
            cache_write: components["schemas"]["TokenCount"];
            cache_write_1h?: components["schemas"]["TokenCount"];
            characters?: number;
            completion_tokens: components["schemas"]["TokenCount"];
            image_in: components["schemas"]["TokenCount"];
            image_out?: components["schemas"]["TokenCount"];
            images?: number;
            readonly missing?: ("prompt" | "completion")[];
            prompt_tokens: components["schemas"]["TokenCount"];
            reasoning: components["schemas"]["TokenCount"];
            samplings?: components["schemas"]["SamplingTokens"][];
            search_units?: number;
            seconds?: number;
            /** @enum {string} */
            source: "upstream" | "estimated" | "none";
            text_in: components["schemas"]["TokenCount"];
            text_out: components["schemas"]["TokenCount"];
            tool_calls?: {
                [key: string]: number;
            };
            unserved_tiers?: string[];
            video_in?: components["schemas"]["TokenCount"];
        };
        UsageDatum: {
            count: number;
            created_at: components["schemas"]["UnixSeconds"];
            id: number;
            model_name: string;
            quota: components["schemas"]["Quota"];
            token_used: number;
            user_id: number;
            username: string;
        };
        UsageSeries: {
            is_utc: boolean;
            keys: {
                cached_tokens: number;
                cost?: components["schemas"]["Quota"];
                errors: number;
                first_p50_ms?: number;
                first_p95_ms?: number;
                input_tokens: number;
                key: string;
                name: string;
                p50_ms?: number;
                p95_ms?: number;
                quota: components["schemas"]["Quota"];
                requests: number;
                tokens: number;
                use_time_ms: number;
            }[];
            overall: {
                at: components["schemas"]["UnixSeconds"];
                cached_tokens: number;
                errors: number;
                first_p50_ms?: number;
                first_p95_ms?: number;
                input_tokens: number;
                p50_ms?: number;
                p95_ms?: number;
                quota: components["schemas"]["Quota"];
                requests: number;
                tokens: number;
                use_time_ms: number;
            }[];
            points: {
                at: components["schemas"]["UnixSeconds"];
                cached_tokens: number;
                errors: number;
                first_p50_ms?: number;
                first_p95_ms?: number;
                input_tokens: number;
                key: string;
                p50_ms?: number;
                p95_ms?: number;
                quota: components["schemas"]["Quota"];
                requests: number;
                tokens: number;
                use_time_ms: number;
            }[];
            refresh_minutes: number;
            totals: {
                cached_tokens: number;
                errors: number;
                first_p50_ms?: number;
                first_p95_ms?: number;
                input_tokens: number;
                p50_ms?: number;
                p95_ms?: number;
                quota: components["schemas"]["Quota"];
                requests: number;
                tokens: number;
                use_time_ms: number;
            };
            /** @enum {string} */
            unit: "hour" | "day" | "week";
        };
        User: {
            access_token: null;
            aff_code: string;
            aff_count: number;
            aff_history_quota: components["schemas"]["Quota"];
            aff_quota: components["schemas"]["Quota"];
            DeletedAt: string | null;
            display_name: string;
            email: string;
            github_id: string;
            group: string;
            id: number;
            inviter_id: number;
            limits?: components["schemas"]["Limits"] | null;
            linux_do_id: string;
            oidc_id: string;
            password: string;
            quota: components["schemas"]["Quota"];
            request_count: number;
            role: number;
            setting: string;
            status: number;
            telegram_id: string;
            used_quota: components["schemas"]["Quota"];
            username: string;
            verification_code: string;
            wechat_id: string;
        };
        UserChange: {
            display_name?: string;
            form_id?: string;
            group?: string;
            /** @default 0 */
            id?: number;
            password?: string;
            quota?: components["schemas"]["Amount"];
            quota_before?: components["schemas"]["Amount"];
            role?: number;
            username?: string;
            was?: components["schemas"]["SeenRow"];
        };
        UserToken: {
            accessed_time: components["schemas"]["UnixSeconds"];
            created_time: components["schemas"]["UnixSeconds"];
            expired_time: components["schemas"]["UnixSeconds"];
            group: string;
            id: number;
            /** @constant */
            is_managed?: true;
            masked_key: string;
            name: string;
            remain_quota: components["schemas"]["Quota"];
            status: number;
            unlimited_quota: boolean;
            used_quota: components["schemas"]["Quota"];
        };
        UserUsage: {
            days: {
                day: components["schemas"]["UnixSeconds"];
                quota: components["schemas"]["Quota"];
                requests: number;
            }[];
            last_request_at: components["schemas"]["UnixSeconds"];
        };
        VendorInvoice: {
            accounts: {
                [key: string]: number;
            };
            channel_ids: number[];
            created_at: components["schemas"]["UnixSeconds"];
            created_by: string;
            done: number;
            finished_at: components["schemas"]["UnixSeconds"];
            first_day: string;
            id: number;
            last_day: string;
            name: string;
            result: components["schemas"]["InvoiceResult"] | null;
            rows: number;
            /** @enum {string} */
            source: "file" | "api";
            /** @enum {string} */
            state: "waiting" | "running" | "done" | "failed" | "cancelled";
            time_zone: string;
            total: number;
            /** @enum {string} */
            vendor: "openai" | "anthropic" | "google" | "other";
        };
        WaitingPrice: {
            after: {
                input?: number;
                output?: number;
                per_call?: number;
            };
            before: {
                input?: number;
                output?: number;
                per_call?: number;
            };
            model: string;
            others?: ("ModelPrice" | "ModelRatio" | "CacheRatio" | "CompletionRatio" | "ReasoningRatio" | "CreateCacheRatio" | "CreateCacheRatio1h" | "ImageRatio" | "ImageCacheRatio" | "ImageCompletionRatio" | "VideoRatio" | "AudioRatio" | "AudioCacheRatio" | "AudioCompletionRatio" | "PriceCards" | "TierRatio" | "PriceHours")[];
            /** @enum {string} */
            reason: "mode" | "free" | "large" | "one-source";
        };
        WalletEntry: {
            amount: components["schemas"]["Quota"];
            created_at: components["schemas"]["UnixSeconds"];
            id: number;
            /** @enum {string} */
            kind: "opening" | "sign-up" | "invitee" | "inviter" | "redemption" | "top-up" | "admin" | "transfer" | "refund" | "import";
            note: string;
            reference: string;
        };
        WebhookEndpoint: {
            created_at: components["schemas"]["UnixSeconds"];
            dropped: number;
            enabled: boolean;
            events: ("request.posted" | "budget.reached" | "channel.disabled" | "wallet.topped_up" | "invoice.differs")[];
            id: number;
            name: string;
            old_secret_until: components["schemas"]["UnixSeconds"];
            url: string;
            waiting: number;
        };
        WebhookEndpointForm: {
            enabled: boolean;
            events: ("request.posted" | "budget.reached" | "channel.disabled" | "wallet.topped_up" | "invoice.differs")[];
            name: string;
            url: string;
        };
        WebhookSecret: {
            id: number;
            secret: string;
        };
        WeightQuestion: {
            groups: string[];
            id: number;
            models: string[];
            priority: number;
            weight: number;
        };
        WeightShares: {
            group: string;
            is_exact: boolean;
            left_out: number;
            model: string;
            rows: {
                id: number;
                name: string;
                share: number;
                weight: number;
            }[];
        };
        WhatIfCandidate: {
            /** @default [] */
            channels: components["schemas"]["ChangedChannel"][];
            fallbacks?: {
                [key: string]: {
                    [key: string]: string[];
                };
            };
            prices?: components["schemas"]["ChangedPrice"][];
            strategies?: {
                [key: string]: "weight" | "latency" | "price" | "effective-cost";
            };
        };
        WhatIfCandidateInput: {
            /** @default [] */
            channels?: components["schemas"]["ChangedChannel"][];
            fallbacks?: {
                [key: string]: {
                    [key: string]: string[];
                };
            };
            prices?: components["schemas"]["ChangedPrice"][];
            strategies?: {
                [key: string]: "weight" | "latency" | "price" | "effective-cost";
            };
        };
        WhatIfLine: {
            after: components["schemas"]["WhatIfSums"];
            before: components["schemas"]["WhatIfSums"];
            id: number;
            name: string;
        };
        WhatIfPoint: {
            after: components["schemas"]["WhatIfSums"];
            at: components["schemas"]["UnixSeconds"];
            before: components["schemas"]["WhatIfSums"];
        };
        WhatIfPresent: {
            channels: {
                cost_ratio: number;
                id: number;
                is_enabled: boolean;
                name: string;
                priority: number;
                weight: number;
            }[];
            fallbacks: {
                [key: string]: {
                    [key: string]: string[];
                };
            };
            groups: string[];
            models: string[];
            strategies: {
                [key: string]: "weight" | "latency" | "price" | "effective-cost";
            };
        };
        WhatIfReport: {
            candidate: components["schemas"]["WhatIfCandidate"];
            created_at: components["schemas"]["UnixSeconds"];
            done: number;
            finished_at: components["schemas"]["UnixSeconds"];
            id: number;
            requested_by: string;
            result: components["schemas"]["WhatIfResult"] | null;
            since: components["schemas"]["UnixSeconds"];
            /** @enum {string} */
            state: "waiting" | "running" | "done" | "failed" | "cancelled";
            total: number;
            until: components["schemas"]["UnixSeconds"];
        };
        WhatIfResult: {
            by_rate: number;
            changed: number;
            channels: components["schemas"]["WhatIfLine"][];
            missing: {
                choice: number;
                cut: number;
                differs: number;
                groups: number;
            };
            missing_revenue: components["schemas"]["Quota"];
            models: components["schemas"]["WhatIfLine"][];
            more_channels: number;
            more_models: number;
            more_users: number;
            newly_answered: number;
            newly_failed: number;
            requests: number;
            series: components["schemas"]["WhatIfPoint"][];
            step: number;
            total: {
                after: components["schemas"]["WhatIfSums"];
                before: components["schemas"]["WhatIfSums"];
            };
            unmeasured: number;
            unpriced: number;
            users: components["schemas"]["WhatIfLine"][];
        };
        WhatIfRun: {
            candidate: components["schemas"]["WhatIfCandidate"];
            created_at: components["schemas"]["UnixSeconds"];
            done: number;
            finished_at: components["schemas"]["UnixSeconds"];
            id: number;
            requested_by: string;
            since: components["schemas"]["UnixSeconds"];
            /** @enum {string} */
            state: "waiting" | "running" | "done" | "failed" | "cancelled";
            total: number;
            until: components["schemas"]["UnixSeconds"];
        };
        WhatIfSums: {
            attempts: number;
            cost: components["schemas"]["Quota"];
            failures: number;
            ms: number;
            requests: number;
            revenue: components["schemas"]["Quota"];
        };
        Word: {
            en: string;
            zh: string;
        };
    };
    responses: {
        /** @description The server cannot answer now */
        Failed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description The account may not do this */
        NotAllowed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description Not signed in, or the access token is not valid */
        NotSignedIn: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description Too many requests */
        TooManyRequests: {
            headers: {
                /** @description Seconds */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "receipts.keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptKeySet"] | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "status.about": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "audit.list": {
        parameters: {
            query?: {
                action?: string;
                actor_id?: string | number;
                end_timestamp?: string | number;
                p?: string | number;
                page_size?: string | number;
                resource?: string;
                resource_id?: string;
                start_timestamp?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["AuditEntry"][];
                            page: number;
                            page_size: number;
                            total: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "audit.listOwn": {
        parameters: {
            query?: {
                p?: string | number;
                page_size?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["AuditEntry"][];
                            page: number;
                            page_size: number;
                            total: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "csvExports.ownAudit": {
        parameters: {
            query?: {
                end_timestamp?: string | number;
                format?: "csv" | "jsonl";
                start_timestamp?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/*": string;
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "budgets.list": {
        parameters: {
            query?: {
                group?: string;
                member_id?: string | number;
                project_id?: string | number;
                token_id?: string | number;
                user_id?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Budget"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "budgets.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewBudget"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "budgets.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BudgetChange"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "budgets.remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "budgets.days": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BudgetDay"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.list": {
        parameters: {
            query?: {
                id_sort?: string | boolean;
                p?: string | number;
                page_size?: string | number;
                tag_mode?: string | boolean;
                untagged?: string | boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Channel"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelChange"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Channel"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewChannel"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Channel"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.balances": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChannelBalance"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.acknowledgeFailure": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channelKeys.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChannelKey"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channelKeys.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeysChange"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channelKeys.add": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKeys"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AddedKeys"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channelKeys.rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyRotation"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChannelAttention"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.removeMany": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ids?: number[] | null;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channelBatches.edit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    change: components["schemas"]["BatchChange"];
                    /** @default [] */
                    ids?: number[];
                    seen?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channelBatches.mapModel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    from: string;
                    to: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channelBatches.preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    change: components["schemas"]["BatchChange"];
                    /** @default [] */
                    ids?: number[];
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BatchEdited"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.tagMany": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ids?: number[] | null;
                    tag?: string | null;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.copy": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.removeDisabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.effectiveCosts": {
        parameters: {
            query?: {
                hours?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EffectiveCosts"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channelFiles.plain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ids?: number[] | null;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChannelFile"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channelFiles.sealed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ids?: number[] | null;
                    passphrase: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChannelFile"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.fetchModelsOf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    base_url?: string;
                    /** @default  */
                    key?: string;
                    /** @default 0 */
                    type?: number;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string[];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.fetchModels": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string[];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.repair": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoutingQuestion"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PricedForecast"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.health": {
        parameters: {
            query?: {
                ids?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChannelHealth"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channelFiles.import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    file: string;
                    /** @default false */
                    is_preview?: boolean;
                    /** @default  */
                    passphrase?: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportedChannel"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ModelObject"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.applyModels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    changes: {
                        /** @default [] */
                        add?: string[];
                        id: number;
                        /** @default [] */
                        remove?: string[];
                    }[];
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.enabledModels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string[];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallPreviewQuestion"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CallPreview"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.getRun": {
        parameters: {
            query?: {
                from?: string | number;
                kind?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ShownRun"] | null;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.startRun": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default auto */
                    capability?: components["schemas"]["TestCapability"];
                    ids?: number[] | null;
                    kind: components["schemas"]["RunKind"];
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ShownRun"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.cancelRun": {
        parameters: {
            query?: {
                kind?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.search": {
        parameters: {
            query?: {
                group?: string;
                id_sort?: string | boolean;
                keyword?: string;
                model?: string;
                state?: string;
                tag_mode?: string | boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Channel"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WeightQuestion"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WeightShares"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.updateTag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagChange"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.disableTag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    tag?: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.enableTag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    tag?: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.testAll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.test": {
        parameters: {
            query?: {
                capability?: string;
                key_id?: string;
                model?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key?: string;
                        message: string;
                        success: boolean;
                        time: number;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.unpricedModels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default [] */
                    models?: string[];
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string[];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.updateBalances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "channels.updateBalance": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        balance: number;
                        message: string;
                        success: boolean;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "config.apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    files: {
                        content: string;
                        path: string;
                    }[];
                    /** @default default */
                    owner?: string;
                    /**
                     * @default none
                     * @enum {string}
                     */
                    prune?: "none" | "owned" | "all";
                    secrets: {
                        [key: string]: string;
                    };
                    seen: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ConfigPlan"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "config.export": {
        parameters: {
            query?: {
                user_tokens?: string | boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            budgets: {
                                [key: string]: unknown;
                            }[];
                            channels: {
                                [key: string]: unknown;
                            }[];
                            groups: {
                                [key: string]: unknown;
                            };
                            options: {
                                [key: string]: unknown;
                            };
                            organisations: {
                                [key: string]: unknown;
                            };
                            prices: {
                                [key: string]: unknown;
                            };
                            projects: {
                                [key: string]: unknown;
                            }[];
                            tokens: {
                                [key: string]: unknown;
                            }[];
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "config.managed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ManagedRecord"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "config.plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfigSource"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ConfigPlan"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "dashboard.list": {
        parameters: {
            query?: {
                default_time?: string;
                end_timestamp?: string | number;
                start_timestamp?: string | number;
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UsageDatum"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "dashboard.listOwn": {
        parameters: {
            query?: {
                default_time?: string;
                end_timestamp?: string | number;
                start_timestamp?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UsageDatum"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "dashboard.ownSeries": {
        parameters: {
            query?: {
                by?: "model" | "user" | "token" | "channel" | "group" | "project" | "member";
                end_timestamp?: string | number;
                rank?: "quota" | "requests" | "tokens" | "errors";
                start_timestamp?: string | number;
                timezone?: string | number;
                unit?: "hour" | "day" | "week";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UsageSeries"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "dashboard.series": {
        parameters: {
            query?: {
                by?: "model" | "user" | "token" | "channel" | "group" | "project" | "member";
                end_timestamp?: string | number;
                rank?: "quota" | "requests" | "tokens" | "errors";
                start_timestamp?: string | number;
                timezone?: string | number;
                unit?: "hour" | "day" | "week";
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UsageSeries"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "deliveries.list": {
        parameters: {
            query?: {
                p?: string | number;
                page_size?: string | number;
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["OutboxEntry"][];
                            page: number;
                            page_size: number;
                            total: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "deliveries.retry": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "deliveries.testMail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    to?: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "groups.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string[];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "health.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SystemHealth"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "health.failedJobs": {
        parameters: {
            query: {
                queue: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FailedJob"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "health.removeJob": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    queue: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "health.retryJob": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    queue: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "status.homePage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "imports.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            carried: {
                                family: string;
                                name: string;
                                updated_at: components["schemas"]["UnixSeconds"];
                            }[];
                            is_in_use: boolean;
                            report: components["schemas"]["ShownReport"] | null;
                            run: components["schemas"]["ImportRun"] | null;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "imports.start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    address?: string;
                    /** @default [] */
                    keep?: string[];
                    /** @default 0 */
                    log_days?: number;
                    /**
                     * @default none
                     * @enum {string}
                     */
                    merge?: "none" | "rename" | "join";
                    /** @default  */
                    name?: string;
                    /** @default [] */
                    only?: ("users" | "channels" | "options" | "tokens" | "codes" | "orders" | "subscriptions" | "tasks" | "hours" | "logs")[];
                    /** @default  */
                    source?: "" | string;
                    /** @default 0 */
                    unlimited_as?: number;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportRun"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "imports.forget": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "imports.cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "imports.report": {
        parameters: {
            query?: {
                format?: "json" | "html";
                language?: "zh" | "en";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/*": string;
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "imports.runAgain": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default false */
                    is_dry_run?: boolean;
                    keep?: string[];
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportRun"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "imports.upload": {
        parameters: {
            query: {
                name: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            bytes: number;
                            name: string;
                            /** Format: uuid */
                            source: string;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "ledger.report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LedgerReport"] | null;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "ledger.verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "limits.check": {
        parameters: {
            query: {
                group?: string;
                max_tokens?: number;
                model: string;
                prompt_tokens?: number;
                token?: string;
                user: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LimitCheck"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.list": {
        parameters: {
            query?: {
                before_created_at?: string | number;
                before_id?: string | number;
                channel?: string | number;
                end_timestamp?: string | number;
                error_code?: string;
                group?: string;
                min_seconds?: string | number;
                model_name?: string;
                names?: "" | "part";
                outcome?: "" | "charged" | "estimated" | "corrected" | "failed" | "refused";
                p?: string | number;
                page_size?: string | number;
                request_id?: string;
                session?: string;
                start_timestamp?: string | number;
                token_name?: string;
                type?: string | number;
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            archived_month?: components["schemas"]["ArchiveMonth"];
                            items: components["schemas"]["Log"][];
                            page: number;
                            page_size: number;
                            total: number;
                            total_is_capped: boolean;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.remove": {
        parameters: {
            query?: {
                target_timestamp?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.explain": {
        parameters: {
            query?: {
                created_at?: string | number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogExplanation"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "receipts.get": {
        parameters: {
            query?: {
                created_at?: string | number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignedReceipt"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.archives": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogArchives"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    month: components["schemas"]["ArchiveMonth"];
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: null;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.restoreArchive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    month: components["schemas"]["ArchiveMonth"];
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: null;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "archiveSearches.latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ArchiveSearch"] | null;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "archiveSearches.start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    request_id: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ArchiveSearch"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "archiveSearches.cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ArchiveSearch"] | null;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.clearings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogClearing"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.clear": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    target_timestamp: components["schemas"]["UnixSeconds"];
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogClearing"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.countBefore": {
        parameters: {
            query?: {
                target_timestamp?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "csvExports.logs": {
        parameters: {
            query?: {
                channel?: string | number;
                end_timestamp?: string | number;
                error_code?: string;
                group?: string;
                min_seconds?: string | number;
                model_name?: string;
                names?: "" | "part";
                outcome?: "" | "charged" | "estimated" | "corrected" | "failed" | "refused";
                request_id?: string;
                session?: string;
                start_timestamp?: string | number;
                token_name?: string;
                type?: string | number;
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/*": string;
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "csvExports.focus": {
        parameters: {
            query?: {
                month?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/*": string;
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.histogram": {
        parameters: {
            query?: {
                channel?: string | number;
                end_timestamp?: string | number;
                error_code?: string;
                group?: string;
                min_seconds?: string | number;
                model_name?: string;
                names?: "" | "part";
                offset?: string | number;
                outcome?: "" | "charged" | "estimated" | "corrected" | "failed" | "refused";
                request_id?: string;
                session?: string;
                start_timestamp?: string | number;
                token_name?: string;
                type?: string | number;
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogHistogram"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.refusals": {
        parameters: {
            query?: {
                end_timestamp?: string | number;
                names?: "" | "part";
                start_timestamp?: string | number;
                token_name?: string;
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RefusalStat"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.search": {
        parameters: {
            query?: {
                keyword?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Log"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.listOwn": {
        parameters: {
            query?: {
                before_created_at?: string | number;
                before_id?: string | number;
                end_timestamp?: string | number;
                error_code?: string;
                group?: string;
                min_seconds?: string | number;
                model_name?: string;
                names?: "" | "part";
                outcome?: "" | "charged" | "estimated" | "corrected" | "failed" | "refused";
                p?: string | number;
                page_size?: string | number;
                request_id?: string;
                session?: string;
                start_timestamp?: string | number;
                token_name?: string;
                type?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            archived_month?: components["schemas"]["ArchiveMonth"];
                            items: components["schemas"]["Log"][];
                            page: number;
                            page_size: number;
                            total: number;
                            total_is_capped: boolean;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.explainOwn": {
        parameters: {
            query?: {
                created_at?: string | number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogExplanation"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "receipts.getOwn": {
        parameters: {
            query?: {
                created_at?: string | number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignedReceipt"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "archiveSearches.latestOwn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ArchiveSearch"] | null;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "archiveSearches.startOwn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    request_id: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ArchiveSearch"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "archiveSearches.cancelOwn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ArchiveSearch"] | null;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "csvExports.ownLogs": {
        parameters: {
            query?: {
                end_timestamp?: string | number;
                error_code?: string;
                group?: string;
                min_seconds?: string | number;
                model_name?: string;
                names?: "" | "part";
                outcome?: "" | "charged" | "estimated" | "corrected" | "failed" | "refused";
                request_id?: string;
                session?: string;
                start_timestamp?: string | number;
                token_name?: string;
                type?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/*": string;
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "csvExports.ownFocus": {
        parameters: {
            query?: {
                month?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/*": string;
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.histogramOwn": {
        parameters: {
            query?: {
                end_timestamp?: string | number;
                error_code?: string;
                group?: string;
                min_seconds?: string | number;
                model_name?: string;
                names?: "" | "part";
                offset?: string | number;
                outcome?: "" | "charged" | "estimated" | "corrected" | "failed" | "refused";
                request_id?: string;
                session?: string;
                start_timestamp?: string | number;
                token_name?: string;
                type?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogHistogram"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "receipts.exportOwn": {
        parameters: {
            query?: {
                end_timestamp?: string | number;
                start_timestamp?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/*": string;
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.refusalsOwn": {
        parameters: {
            query?: {
                end_timestamp?: string | number;
                names?: "" | "part";
                start_timestamp?: string | number;
                token_name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RefusalStat"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.searchOwn": {
        parameters: {
            query?: {
                keyword?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Log"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.statOwn": {
        parameters: {
            query?: {
                end_timestamp?: string | number;
                error_code?: string;
                group?: string;
                min_seconds?: string | number;
                model_name?: string;
                names?: "" | "part";
                outcome?: "" | "charged" | "estimated" | "corrected" | "failed" | "refused";
                request_id?: string;
                session?: string;
                start_timestamp?: string | number;
                token_name?: string;
                type?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogStat"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.stat": {
        parameters: {
            query?: {
                channel?: string | number;
                end_timestamp?: string | number;
                error_code?: string;
                group?: string;
                min_seconds?: string | number;
                model_name?: string;
                names?: "" | "part";
                outcome?: "" | "charged" | "estimated" | "corrected" | "failed" | "refused";
                request_id?: string;
                session?: string;
                start_timestamp?: string | number;
                token_name?: string;
                type?: string | number;
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogStat"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "logs.listOfToken": {
        parameters: {
            query?: {
                end_timestamp?: string | number;
                p?: string | number;
                page_size?: string | number;
                start_timestamp?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Log"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "drawingTasks.list": {
        parameters: {
            query?: {
                channel_id?: string | number;
                end_timestamp?: string | number;
                ids?: string;
                mj_id?: string;
                p?: string | number;
                start_timestamp?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DrawingTask"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "drawingTasks.listOwn": {
        parameters: {
            query?: {
                end_timestamp?: string | number;
                ids?: string;
                mj_id?: string;
                p?: string | number;
                start_timestamp?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DrawingTask"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "models.presets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            [key: string]: string[];
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "status.notice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "oauth.bindEmail": {
        parameters: {
            query?: {
                code?: string;
                email?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "oauth.github": {
        parameters: {
            query?: {
                code?: string;
                error?: string;
                error_description?: string;
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "oauth.linuxdo": {
        parameters: {
            query?: {
                code?: string;
                error?: string;
                error_description?: string;
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "oauth.oidc": {
        parameters: {
            query?: {
                code?: string;
                error?: string;
                error_description?: string;
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "oauth.discover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    url: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            authorization_endpoint: string;
                            token_endpoint: string;
                            userinfo_endpoint: string;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "oauth.start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    aff?: string;
                    /** @enum {string} */
                    provider: "github" | "oidc" | "linuxdo";
                    /** @enum {string} */
                    purpose: "sign-in" | "bind";
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            url: string;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "oauth.state": {
        parameters: {
            query?: {
                aff?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "oauth.bindTelegram": {
        parameters: {
            query?: {
                auth_date?: string;
                first_name?: string;
                hash?: string;
                id?: string;
                lang?: string;
                last_name?: string;
                photo_url?: string;
                state?: string;
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "oauth.telegram": {
        parameters: {
            query?: {
                auth_date?: string;
                first_name?: string;
                hash?: string;
                id?: string;
                lang?: string;
                last_name?: string;
                photo_url?: string;
                state?: string;
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "oauth.telegramState": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "oauth.unbind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    provider: "email" | "github" | "oidc" | "linuxdo" | "wechat" | "telegram";
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "oauth.wechat": {
        parameters: {
            query?: {
                aff?: string;
                code?: string;
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "oauth.bindWechat": {
        parameters: {
            query?: {
                code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "options.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OptionRow"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "options.update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    key: string;
                    value?: string | null;
                    was?: string | null;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "options.exportFile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    passphrase: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OptionFile"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "options.importFile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    changes: {
                        key: string;
                        was?: string;
                    }[];
                    file: string;
                    passphrase?: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportResult"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "options.previewImport": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    file: string;
                    passphrase?: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            has_secrets: boolean;
                            rows: components["schemas"]["ImportRow"][];
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "options.notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OptionNote"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "prices.catalogue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CatalogueView"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "prices.readCatalogue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uri */
                    address: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CatalogueView"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "prices.changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PriceChange"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "prices.schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    at: components["schemas"]["UnixSeconds"];
                    prices: components["schemas"]["PriceTexts"];
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PriceChange"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "prices.cancelChange": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "prices.history": {
        parameters: {
            query: {
                name: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PricePast"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "prices.putBack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    at: components["schemas"]["UnixSeconds"];
                    by_name: string;
                    /** @enum {string} */
                    cause: "edit" | "schedule" | "catalogue";
                    name?: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PriceChange"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "prices.refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PriceRefresh"] | null;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "prices.startRefresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "prices.replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PriceReplay"] | null;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "prices.startReplay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    days: number;
                    prices: components["schemas"]["PriceTexts"];
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PriceReplay"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "prices.cancelReplay": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "options.resetModelRatio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "options.testOutside": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    part: "turnstile" | "proxy" | "payment" | "stripe";
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OutsideResult"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisation.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Organisation"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisation.rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisation.remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisationAccess.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OrganisationAccess"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisationAccess.setClaims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    claims: components["schemas"]["MappedClaimInput"][];
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisation.invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invitation"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisation.invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    email?: string;
                    /** @enum {string} */
                    role: "owner" | "admin" | "billing" | "developer" | "viewer";
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            code: string;
                            id: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisation.withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisation.leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisation.members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Member"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisation.setRole": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "owner" | "admin" | "billing" | "developer" | "viewer";
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisation.removeMember": {
        parameters: {
            query?: {
                tokens?: "disable" | "keep";
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisation.movableTokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MovableToken"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisation.handOver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    user_id: number;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisation.projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Project"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisation.createProject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisation.renameProject": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisation.removeProject": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisation.moveTokens": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ids: number[];
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            moved: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisationAccess.setGroupRole": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    id?: string;
                    role: ("owner" | "admin" | "billing" | "developer" | "viewer") | null;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisationAccess.groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ScimGroup"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisationAccess.people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ScimPerson"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisationAccess.setProvisionedRole": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "owner" | "admin" | "billing" | "developer" | "viewer";
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisationAccess.tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ScimToken"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisationAccess.createToken": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default 0 */
                    days?: number;
                    name: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            token: string;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisationAccess.removeToken": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisationAccess.rotateToken": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            token: string;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisationAccess.setProvider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    provider: "" | "github" | "oidc" | "linuxdo" | "wechat" | "telegram";
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisation.spending": {
        parameters: {
            query?: {
                by?: "project" | "member";
                end_timestamp?: string | number;
                start_timestamp?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Spending"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisations.listOwn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            invitations: components["schemas"]["OwnInvitation"][];
                            items: components["schemas"]["Membership"][];
                            may_found: boolean;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisations.found": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisationAccess.setClaimsAsRoot": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    claims: components["schemas"]["MappedClaimInput"][];
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisationAccess.trust": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            claims: components["schemas"]["MappedClaim"][];
                            domains: string[];
                            /** @default false */
                            maps_claims: boolean;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisationAccess.setTrust": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    domains: string[];
                    /** @default false */
                    maps_claims?: boolean;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisations.listAll": {
        parameters: {
            query?: {
                keyword?: string;
                p?: string | number;
                page_size?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["OrganisationRow"][];
                            page: number;
                            page_size: number;
                            total: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisations.convert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    project: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            user_id: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisations.peek": {
        parameters: {
            query?: {
                code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OwnInvitation"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisations.decline": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "organisations.join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    code?: string;
                    /** @default 0 */
                    id?: number;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Membership"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "payments.list": {
        parameters: {
            query?: {
                keyword?: string;
                p?: string | number;
                page_size?: string | number;
                status?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["PaymentOrder"][];
                            page: number;
                            page_size: number;
                            total: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "payments.check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    trade_no?: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PaymentOrder"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "payments.complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    reason?: string;
                    /** @default  */
                    trade_no?: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PaymentOrder"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "payments.statements": {
        parameters: {
            query?: {
                trade_no?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PaymentStatement"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "pricing.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PricingAnswer"] | components["schemas"]["Refusal"];
                };
            };
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "receipts.listKeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ReceiptKeyState"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "receipts.rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ReceiptKeyState"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "redemptions.list": {
        parameters: {
            query?: {
                p?: string | number;
                page_size?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Redemption"][];
                            page: number;
                            page_size: number;
                            total: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "redemptions.update": {
        parameters: {
            query?: {
                status_only?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedemptionChange"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Redemption"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "redemptions.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRedemptions"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string[];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "redemptions.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Redemption"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "redemptions.remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "redemptions.search": {
        parameters: {
            query?: {
                keyword?: string;
                p?: string | number;
                page_size?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Redemption"][];
                            page: number;
                            page_size: number;
                            total: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "registration.sendReset": {
        parameters: {
            query?: {
                email?: string;
                turnstile?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "setup.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SetupStatus"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "setup.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetupBody"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "setup.firstRun": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FirstRun"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "status.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SiteStatus"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "statusIncidents.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StatusIncidents"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "statusIncidents.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewIncident"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "statusIncidents.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IncidentForm"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "statusIncidents.remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "statusIncidents.addUpdate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IncidentUpdateForm"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "status.release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Release"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "status.stores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: ("postgres" | "redis")[];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "status.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "payments.stripeWebhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "tasks.list": {
        parameters: {
            query?: {
                action?: string;
                channel_id?: string | number;
                end_timestamp?: string | number;
                ids?: string;
                p?: string | number;
                platform?: string;
                start_timestamp?: string | number;
                status?: string;
                task_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Task"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "tasks.media": {
        parameters: {
            query?: {
                task_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PlayableMedia"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "tasks.listOwn": {
        parameters: {
            query?: {
                action?: string;
                end_timestamp?: string | number;
                ids?: string;
                p?: string | number;
                platform?: string;
                start_timestamp?: string | number;
                status?: string;
                task_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Task"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "tokens.list": {
        parameters: {
            query?: {
                p?: string | number;
                size?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Token"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "tokens.update": {
        parameters: {
            query?: {
                status_only?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenChange"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Token"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "tokens.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewToken"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "tokens.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Token"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "tokens.remove": {
        parameters: {
            query?: {
                confirm?: "" | "ask" | "yes";
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "tokens.openWork": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OpenWork"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "tokens.count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            total: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "tokens.search": {
        parameters: {
            query?: {
                keyword?: string;
                token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Token"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "billing.tokenUsage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenUsage"] | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "users.list": {
        parameters: {
            query?: {
                p?: string | number;
                page_size?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["User"][];
                            page: number;
                            page_size: number;
                            total: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "users.update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserChange"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "users.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUser"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "users.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "users.remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "users.tokens": {
        parameters: {
            query?: {
                p?: string | number;
                page_size?: string | number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["UserToken"][];
                            page: number;
                            page_size: number;
                            total: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "userAccess.createToken": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewToken"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            key: string;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "twoFactor.reset": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "users.usage": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UserUsage"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "userAccess.view": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "statements.entriesOf": {
        parameters: {
            query?: {
                p?: string | number;
                page_size?: string | number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["WalletEntry"][];
                            page: number;
                            page_size: number;
                            total: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "statements.monthOf": {
        parameters: {
            query?: {
                month?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Statement"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "self.inviteCode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "self.transferInviteQuota": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    quota: components["schemas"]["Amount"];
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "wallet.amount": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    amount?: (number | string) | null;
                    /** @default  */
                    payment_method?: string;
                    top_up_code?: string | null;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "wallet.notify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "wallet.notifyByPost": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "groups.usable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UsableGroups"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "users.setLimits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: number;
                    limits: components["schemas"]["Limits"] | null;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "signIn.create": {
        parameters: {
            query?: {
                turnstile?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginBody"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "signIn.secondStep": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    code?: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "signIn.remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "users.manage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    action?: string;
                    /** @default 0 */
                    id?: number;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "self.models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string[];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "deliveries.listOwn": {
        parameters: {
            query?: {
                p?: string | number;
                page_size?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["OutboxEntry"][];
                            page: number;
                            page_size: number;
                            total: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "deliveries.testOwn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "passkeys.signIn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    response: components["schemas"]["PasskeyResponse"];
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "passkeys.startSignIn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            [key: string]: unknown;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "wallet.pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    amount?: (number | string) | null;
                    /** @default  */
                    payment_method?: string;
                    top_up_code?: string | null;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayAnswer"] | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "users.adjustQuota": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuotaAdjustment"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "registration.create": {
        parameters: {
            query?: {
                turnstile?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterBody"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "registration.resetPassword": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    email?: string;
                    /** @default  */
                    token?: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    "users.search": {
        parameters: {
            query?: {
                group?: string;
                keyword?: string;
                p?: string | number;
                page_size?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["User"][];
                            page: number;
                            page_size: number;
                            total: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "self.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OwnUser"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "self.update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SelfChange"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "self.remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "csvExports.own": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/*": string;
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "self.groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UsableGroups"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "passkeys.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    name?: string;
                    response: components["schemas"]["PasskeyResponse"];
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Passkey"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "passkeys.remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "passkeys.startNew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            [key: string]: unknown;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "sessions.prove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    code?: string;
                    passkey?: components["schemas"]["PasskeyResponse"];
                    /** @default  */
                    password?: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "sessions.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "sessions.removeAll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "sessions.remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "twoFactor.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TwoFactorState"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "twoFactor.confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    code?: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            recovery_codes: string[];
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "twoFactor.remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "twoFactor.renewCodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            recovery_codes: string[];
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "twoFactor.start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            secret: string;
                            uri: string;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "self.updateSetting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettingChange"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "self.createAccessToken": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "wallet.redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    key?: string;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Quota"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "payments.info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PaymentInfo"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "payments.own": {
        parameters: {
            query?: {
                keyword?: string;
                p?: string | number;
                page_size?: string | number;
                status?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["PaymentOrder"][];
                            page: number;
                            page_size: number;
                            total: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "userAccess.endView": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "spendAlerts.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SpendAlert"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "spendAlerts.save": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SpendAlertChange"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "spendAlerts.remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "statements.entries": {
        parameters: {
            query?: {
                p?: string | number;
                page_size?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["WalletEntry"][];
                            page: number;
                            page_size: number;
                            total: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "csvExports.wallet": {
        parameters: {
            query?: {
                end_timestamp?: string | number;
                start_timestamp?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/*": string;
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "statements.month": {
        parameters: {
            query?: {
                month?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Statement"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "csvExports.wallets": {
        parameters: {
            query?: {
                end_timestamp?: string | number;
                start_timestamp?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/*": string;
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "vendorInvoices.list": {
        parameters: {
            query?: {
                p?: string | number;
                page_size?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["VendorInvoice"][];
                            page: number;
                            page_size: number;
                            total: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "vendorInvoices.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvoice"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["VendorInvoice"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "vendorInvoices.channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            name: string;
                            type: number;
                        }[];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "vendorInvoices.find": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["VendorInvoice"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "vendorInvoices.remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "vendorInvoices.compare": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["VendorInvoice"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "vendorInvoices.export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/*": string;
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "vendorInvoices.lines": {
        parameters: {
            query?: {
                differing?: string | boolean;
                p?: string | number;
                page_size?: string | number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["InvoiceLine"][];
                            page: number;
                            page_size: number;
                            total: number;
                        };
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "vendorInvoices.fetch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FetchedInvoice"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["VendorInvoice"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "vendorInvoices.preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    files: components["schemas"]["InvoiceFile"][];
                    time_zone: components["schemas"]["TimeZone"];
                    /** @enum {string} */
                    vendor: "openai" | "anthropic" | "google" | "other";
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InvoicePreview"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "registration.sendCode": {
        parameters: {
            query?: {
                email?: string;
                turnstile?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "webhookEndpoints.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "webhookEndpoints.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointForm"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookSecret"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "webhookEndpoints.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointForm"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "webhookEndpoints.remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "webhookEndpoints.deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EventDelivery"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "webhookEndpoints.rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookSecret"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "webhookEndpoints.test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "webhookEndpoints.sendAgain": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "whatIf.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WhatIfRun"][];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "whatIf.start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    candidate: components["schemas"]["WhatIfCandidateInput"];
                    hours: number;
                };
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WhatIfRun"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "whatIf.present": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WhatIfPresent"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "whatIf.find": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WhatIfReport"];
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "whatIf.cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "billing.subscriptionShort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"] | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "billing.usageShort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingUsage"] | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "playground.speech": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlaygroundSpeech"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "playground.transcription": {
        parameters: {
            query?: {
                channel?: string | number;
                file_name?: string;
                group?: string;
                language?: string;
                model?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "playground.chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlaygroundBody"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "playground.image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlaygroundImage"];
            };
        };
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty, or what was done */
                        message: string;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "billing.subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"] | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    "billing.usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "5XX": components["responses"]["Failed"];
            /** @description Done, or a refusal with success false */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingUsage"] | components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
}
